import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useMemo } from 'react';
import { RequestPositionsDocument, type RequestPositionsQuery } from '../documents.generated.ts';
import { pagePicture } from '../http/page-picture.ts';
import type { PageResult } from '../positions/page-pieces.ts';
import { PagesView } from '../positions/pages-view.tsx';
import type { DrawPage } from '../positions/use-page-picture.ts';
import { DocumentChooser } from './document-chooser.tsx';

interface TextOnPagesProps {
  readonly id: string;
  /** Documents are not kept: null until the visitor has chosen it. Without it, pages show their text alone. */
  readonly document: Blob | null;
  readonly onDocument: (document: Blob) => void;
}

/** Where the text of a request stands: on its pages' pictures, once their document is chosen. */
export function TextOnPages({ id, document, onDocument }: TextOnPagesProps) {
  const answer = useQuery(RequestPositionsDocument, { id });
  const draw = useMemo<DrawPage | null>(
    () => document && ((page, signal) => pagePicture(document, { page, request: id }, signal)),
    [document, id],
  );
  return (
    <Answer answer={answer} subject="The pages" spaced>
      {({ ocrPages }) => (
        <>
          <div>
            <DocumentChooser isChosen={document !== null} onDocument={onDocument} />
          </div>
          <PagesView pages={ocrPages.data.map(pageResult)} draw={draw} whyNone="Documents are not kept" />
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
