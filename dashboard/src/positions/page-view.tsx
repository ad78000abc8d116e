import { share } from '@ocr-router/ui/format/percent.ts';
import { useState } from 'react';
import { certaintyOf } from './confidence.ts';
import { type PageResult, type Piece, piecesOf } from './page-pieces.ts';
import classes from './positions.module.css';

interface PageViewProps {
  readonly page: PageResult;
  /** Of the page as a viewer shows it; null where there is none to show. */
  readonly picture: string | null;
}

/** A page with a box around each word, and its text beside it: who points at the one lights the other. */
export function PageView({ page, picture }: PageViewProps) {
  const [lit, setLit] = useState<string | null>(null);
  const lines = piecesOf(page.lines);
  const named = lines.flatMap((line, row) => line.map((piece, column) => ({ piece, name: `${row}.${column}` })));
  const { width = 1, height = 1 } = page;
  return (
    <div className={classes['page']}>
      <div className={classes['sheet']} style={{ aspectRatio: `${width} / ${height}` }}>
        {picture !== null && <img src={picture} alt={`Page ${page.page}`} className={classes['picture']} />}
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" className={classes['boxes']} aria-hidden="true">
          {named.map(({ piece, name }) => (
            <polygon
              key={name}
              points={pointsOf(piece)}
              data-certainty={certaintyOf(piece.confidence)}
              data-lit={lit === name}
              onPointerEnter={() => setLit(name)}
              onPointerLeave={() => setLit(null)}
            >
              <title>{titleOf(piece)}</title>
            </polygon>
          ))}
        </svg>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section className={classes['words']} tabIndex={0} aria-label={`Words of page ${page.page}`}>
        {lines.map((line, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never change places
          <p key={row}>
            {line.map((piece, column) => {
              const name = `${row}.${column}`;
              return (
                <span
                  key={name}
                  title={titleOf(piece)}
                  data-certainty={certaintyOf(piece.confidence)}
                  data-lit={lit === name}
                  onPointerEnter={() => setLit(name)}
                  onPointerLeave={() => setLit(null)}
                >
                  {piece.text}{' '}
                </span>
              );
            })}
          </p>
        ))}
      </section>
    </div>
  );
}

function pointsOf({ polygon }: Piece): string {
  return [0, 2, 4, 6].map((at) => `${polygon[at] ?? 0},${polygon[at + 1] ?? 0}`).join(' ');
}

function titleOf({ text, confidence }: Piece): string {
  return confidence === undefined ? text : `${text}: ${share(confidence)}`;
}
