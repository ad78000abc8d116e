import { Select } from '@mantine/core';
import { share } from '@ocr-router/ui/format/percent.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useState } from 'react';
import { hasConfidence, type PageResult } from './page-pieces.ts';
import { PageView } from './page-view.tsx';
import classes from './positions.module.css';
import { type DrawPage, type Picture, usePagePicture } from './use-page-picture.ts';

interface PagesViewProps {
  readonly pages: readonly PageResult[];
  /** How a page gets its picture; null where the document is not at hand. */
  readonly draw: DrawPage | null;
  /** Why it is not, as the beginning of a sentence. */
  readonly whyNone: string;
}

/** The pages of a result with the places of their words, one at a time. */
export function PagesView({ pages, draw, whyNone }: PagesViewProps) {
  const [number, setNumber] = useState(pages[0]?.page ?? 1);
  const page = pages.find((one) => one.page === number) ?? pages[0];
  const isPlaced = (page?.lines?.length ?? 0) > 0;
  const picture = usePagePicture(draw, page?.page ?? 1);
  if (!page) return <Empty title="No pages" />;
  return (
    <div>
      <div className={classes['head']}>
        {pages.length > 1 && (
          <Select
            aria-label="Page"
            size="xs"
            allowDeselect={false}
            data={pages.map((one) => ({ value: String(one.page), label: `Page ${one.page}` }))}
            value={String(page.page)}
            onChange={(value) => setNumber(Number(value))}
          />
        )}
        <span>{page.source === 'text_layer' ? 'from the text in the file' : `by ${page.engine}`}</span>
        {page.confidence !== undefined && <span>confidence {share(page.confidence)}</span>}
        {hasConfidence(page.lines) && (
          <span className={classes['legend']}>
            <span data-certainty="sure">85 % and more</span>
            <span data-certainty="unsure">less</span>
            <span data-certainty="doubtful">less than 60 %</span>
          </span>
        )}
      </div>
      {isPlaced ? (
        <>
          <PictureNote picture={picture} whyNone={whyNone} />
          <PageView key={page.page} page={page} picture={picture} />
        </>
      ) : (
        <PlainPage page={page} picture={picture} />
      )}
    </div>
  );
}

/** A page whose words have no known places: its picture, and its text beside it. */
function PlainPage({ page, picture }: { readonly page: PageResult; readonly picture: Picture }) {
  const why = 'This engine does not say where its text is on the page, or there is none.';
  if (picture.kind === 'none' || picture.kind === 'failed') return <Empty title="No positions">{why}</Empty>;
  return (
    <>
      <p className="kit-soft">{why}</p>
      <div className={classes['page']}>
        <div className={classes['sheet']}>
          {picture.kind === 'shown' && (
            <img src={picture.url} alt={`Page ${page.page}`} className={classes['plainPicture']} />
          )}
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
        <section className={classes['words']} tabIndex={0} aria-label={`Words of page ${page.page}`}>
          <p className={classes['plainText']}>{page.text ?? ''}</p>
        </section>
      </div>
    </>
  );
}

/** Why a page has no picture; it shows its text where that was found instead. */
function PictureNote({ picture, whyNone }: { readonly picture: Picture; readonly whyNone: string }) {
  if (picture.kind === 'none') return <p className="kit-soft">{whyNone}: the text stands where it was found.</p>;
  if (picture.kind !== 'failed') return null;
  return (
    <p className="kit-soft" role="alert">
      The page could not be drawn: {picture.message} The text stands where it was found.
    </p>
  );
}
