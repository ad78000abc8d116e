import { Alert, Tabs } from '@mantine/core';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import { type ReactNode, useMemo } from 'react';
import type { FileFormat } from '../downloads/download.ts';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import { CodeBlock } from '../kit/code-block.tsx';
import { RenderedText } from '../markdown/rendered-text.tsx';
import { PagesView } from '../positions/pages-view.tsx';
import type { Source } from './draft.ts';
import classes from './playground.module.css';
import { plainTextOf, textOf } from './result-text.ts';
import type { OcrResult } from './send-document.ts';
import { blobOf, drawPageOf } from './source-picture.ts';

interface ResultViewProps {
  readonly result: OcrResult;
  /** What was read. */
  readonly source: Source;
  /** From the click to the answer. */
  readonly tookMs: number;
}

/** What an engine answered: figures, warnings, and the text in several shapes. What was read is never markup of this page. */
export function ResultView({ result, source, tookMs }: ResultViewProps) {
  const pages = result.page_results ?? [];
  const draw = useMemo(() => drawPageOf(source), [source]);
  return (
    <div className={classes['fields']}>
      <Figures result={result} tookMs={tookMs}>
        {textOf(result) !== '' && (
          <DownloadMenu id={result.request_id} formats={formatsOf(result)} document={blobOf(source)} />
        )}
      </Figures>
      {result.provider_error && (
        <Alert color="red" variant="light">
          {result.provider_error}
        </Alert>
      )}
      {result.warnings && result.warnings.length > 0 && (
        <Alert color="yellow" variant="light" title="Warnings">
          <ul className={classes['warnings']}>
            {result.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Alert>
      )}
      <Tabs defaultValue="text" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="text">Text</Tabs.Tab>
          {pages.length > 0 && <Tabs.Tab value="page">On the page</Tabs.Tab>}
          <Tabs.Tab value="rendered">Rendered</Tabs.Tab>
          <Tabs.Tab value="markdown">Markdown</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="text" pt="sm">
          <CodeBlock label="Plain text" text={plainTextOf(result)} />
        </Tabs.Panel>
        <Tabs.Panel value="page" pt="sm">
          <PagesView pages={pages} draw={draw} whyNone="The document came from its URL and is not here" />
        </Tabs.Panel>
        <Tabs.Panel value="rendered" pt="sm">
          <RenderedText label="As it is meant to be read" text={textOf(result)} />
        </Tabs.Panel>
        <Tabs.Panel value="markdown" pt="sm">
          <CodeBlock label="As the engine wrote it" text={textOf(result)} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="sm">
          <CodeBlock label="The whole answer" text={JSON.stringify(result, null, 2)} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

/** Without positions there is text alone. */
function formatsOf({ page_results: pages }: OcrResult): FileFormat[] {
  const isPlaced = pages?.some(({ lines }) => lines?.length) ?? false;
  return ['text', 'markdown', 'csv', ...(isPlaced ? (['hocr', 'alto', 'pdf'] as const) : [])];
}

interface FiguresProps extends Omit<ResultViewProps, 'source'> {
  readonly children: ReactNode;
}

function Figures({ result, tookMs, children }: FiguresProps) {
  const { status, cost_debited, pages, pages_total, confidence, provider_latency_ms } = result;
  return (
    <div className={classes['figures']}>
      <RequestStatus status={status} />
      <span>
        <strong>{money(cost_debited)}</strong> charged
      </span>
      <span>
        <strong>{duration(tookMs)}</strong>
        {provider_latency_ms !== undefined && ` (engine ${duration(provider_latency_ms)})`}
      </span>
      {pages !== undefined && (
        <span>
          page{pages === 1 ? '' : 's'} <strong>{pages}</strong>
          {pages_total !== undefined && pages_total !== pages && ` of ${pages_total}`}
        </span>
      )}
      {confidence !== undefined && confidence !== null && (
        <span>
          confidence <strong>{share(confidence)}</strong>
        </span>
      )}
      {children}
    </div>
  );
}
