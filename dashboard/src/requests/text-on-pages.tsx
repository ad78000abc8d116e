import { Select } from '@mantine/core';
import { count } from '@ocr-router/ui/format/count.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useMemo, useState } from 'react';
import { RequestPositionsDocument, type RequestPositionsQuery } from '../documents.generated.ts';
import { pagePicture } from '../http/page-picture.ts';
import type { PageResult } from '../positions/page-pieces.ts';
import { PagesView } from '../positions/pages-view.tsx';
import type { DrawPage } from '../positions/use-page-picture.ts';
import { DocumentChooser } from './document-chooser.tsx';
import classes from './requests.module.css';

/** Pages that are loaded together: as many as the service hands out. */
const PART = 100;

interface TextOnPagesProps {
  readonly id: string;
  /** Documents are not kept: null until the visitor has chosen it. Without it, pages show their text alone. */
  readonly document: Blob | null;
  readonly onDocument: (document: Blob) => void;
}

/** Where the text of a request stands: on its pages' pictures, once their document is chosen. */
export function TextOnPages({ id, document, onDocument }: TextOnPagesProps) {
  const [part, setPart] = useState(1);
  const answer = useQuery(RequestPositionsDocument, { id, part });
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
          {ocrPages.total > PART && <Parts total={ocrPages.total} part={part} onPart={setPart} />}
          <PagesView key={part} pages={ocrPages.data.map(pageResult)} draw={draw} whyNone="Documents are not kept" />
        </>
      )}
    </Answer>
  );
}

interface PartsProps {
  readonly total: number;
  readonly part: number;
  readonly onPart: (part: number) => void;
}

/** Which hundred of the pages. */
function Parts({ total, part, onPart }: PartsProps) {
  const parts = Array.from({ length: Math.ceil(total / PART) }, (_, nth) => ({
    value: String(nth + 1),
    label: partWords(nth * PART + 1, Math.min(total, (nth + 1) * PART)),
  }));
  return (
    <Select
      aria-label="Part of the pages"
      className={classes['parts']}
      allowDeselect={false}
      data={parts}
      value={String(part)}
      onChange={(value) => onPart(Number(value))}
    />
  );
}

function partWords(from: number, to: number): string {
  return from === to ? `Page ${count(from)}` : `Pages ${count(from)} to ${count(to)}`;
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
