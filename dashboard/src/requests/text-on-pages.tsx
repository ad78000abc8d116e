import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { RequestPositionsDocument, type RequestPositionsQuery } from '../documents.generated.ts';
import type { PageResult } from '../positions/page-pieces.ts';
import { PagesView } from '../positions/pages-view.tsx';

/** Where the text of a request stands. The document is not kept: its pages show their text alone. */
export function TextOnPages({ id }: { readonly id: string }) {
  const answer = useQuery(RequestPositionsDocument, { id });
  return (
    <Answer answer={answer} subject="The pages" spaced>
      {({ ocrPages }) => (
        <>
          <PagesView pages={ocrPages.data.map(pageResult)} draw={null} whyNone="Documents are not kept" />
          {ocrPages.total > ocrPages.data.length && (
            <p className="kit-soft">
              The first {ocrPages.data.length} of {ocrPages.total} pages.
            </p>
          )}
        </>
      )}
    </Answer>
  );
}

/** As the API shows it. */
function pageResult(page: RequestPositionsQuery['ocrPages']['data'][number]): PageResult {
  const { number, state, source, engine, confidence, width, height, lines } = page;
  return {
    page: number,
    state,
    source,
    engine,
    cost_usd: 0, // not shown here
    ...(confidence !== null && { confidence }),
    ...(width !== null && height !== null && { width, height }),
    ...(lines !== null && { lines: lines as unknown as NonNullable<PageResult['lines']> }), // as its description has it
  };
}
