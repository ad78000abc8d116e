import { share } from '@ocr-router/ui/format/percent.ts';
import { useState } from 'react';
import { certaintyOf } from './confidence.ts';
import { type PageResult, type Piece, piecesOf, writingOf } from './page-pieces.ts';
import classes from './positions.module.css';
import type { Picture } from './use-page-picture.ts';

/** Units of the drawing across a page: fonts of less than one unit are not drawn well. */
const ACROSS = 1000;
/** Of a letter's height, what stands above its base line. */
const ABOVE_LINE = 0.78;

interface PageViewProps {
  readonly page: PageResult;
  /** Of the page as a viewer shows it. Without one, the text stands in its boxes. */
  readonly picture: Picture;
}

/** A page with a box around each word, and its text beside it: who points at the one lights the other. */
export function PageView({ page, picture }: PageViewProps) {
  const [lit, setLit] = useState<string | null>(null);
  const lines = piecesOf(page.lines);
  const named = lines.flatMap((line, row) => line.map((piece, column) => ({ piece, name: `${row}.${column}` })));
  const { width = 1, height = 1 } = page;
  const down = (ACROSS * height) / width;
  return (
    <div className={classes['page']}>
      <div className={classes['sheet']} style={{ aspectRatio: `${width} / ${height}` }}>
        {picture.kind === 'shown' && <img src={picture.url} alt={`Page ${page.page}`} className={classes['picture']} />}
        <svg
          viewBox={`0 0 ${ACROSS} ${down}`}
          preserveAspectRatio="none"
          className={classes['boxes']}
          aria-hidden="true"
        >
          {(picture.kind === 'none' || picture.kind === 'failed') &&
            named.map(({ piece, name }) => <PlacedText key={name} piece={piece} down={down} />)}
          {named.map(({ piece, name }) => (
            <polygon
              key={name}
              points={pointsOf(piece, down)}
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
          <p key={row} className="kit-any-direction">
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
                  {piece.text}
                  {piece.isSpaced ? ' ' : ''}
                </span>
              );
            })}
          </p>
        ))}
      </section>
    </div>
  );
}

/** A piece in its box, as wide and as high as that, and running as it does. */
function PlacedText({ piece, down }: { readonly piece: Piece; readonly down: number }) {
  const { x, y, degrees, width, height } = writingOf(piece, [ACROSS, down]);
  return (
    <text
      transform={`translate(${x} ${y}) rotate(${degrees})`}
      y={height * ABOVE_LINE}
      fontSize={height}
      textLength={width}
      lengthAdjust="spacingAndGlyphs"
    >
      {piece.text}
    </text>
  );
}

function pointsOf({ polygon }: Piece, down: number): string {
  return [0, 2, 4, 6].map((at) => `${(polygon[at] ?? 0) * ACROSS},${(polygon[at + 1] ?? 0) * down}`).join(' ');
}

function titleOf({ text, confidence }: Piece): string {
  return confidence === undefined ? text : `${text}: ${share(confidence)}`;
}
