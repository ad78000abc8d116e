import { Button } from '@mantine/core';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useState } from 'react';
import { PlaygroundDocument, type PlaygroundQuery } from '../documents.generated.ts';
import { Page } from '../kit/page.tsx';
import pageHeads from '../kit/page-heads.json';
import { Panel } from '../kit/panel.tsx';
import { CodePanel } from './code-panel.tsx';
import { CostNote } from './cost-note.tsx';
import { Difference, isDone } from './difference.tsx';
import { DocumentCost } from './document-cost.tsx';
import { DocumentPicker } from './document-picker.tsx';
import { type Draft, EMPTY_DRAFT, type Source } from './draft.ts';
import { EngineFields } from './engine-fields.tsx';
import classes from './playground.module.css';
import { requestBody } from './request-body.ts';
import { isUnderWay, type Run } from './run.ts';
import { RunPanel } from './run-panel.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { useRuns } from './use-runs.ts';

/** Reads a document now: which engine, what it costs, and the same as code. */
export default function PlaygroundPage() {
  const answer = useQuery(PlaygroundDocument, {});
  return (
    <Page {...pageHeads['/playground']}>
      <Answer answer={answer} subject="The engines" loadingRows={8} spaced>
        {(data) => <Bench data={data} />}
      </Answer>
    </Page>
  );
}

function Bench({ data }: { readonly data: PlaygroundQuery }) {
  const [draft, setDraft] = useState<Draft>(() => ({ ...EMPTY_DRAFT, engine: firstEngine(data) }));
  const { runs, send } = useRuns();
  const engines = [draft.engine, draft.other].filter((engine) => engine !== null);
  const { source } = draft;
  const [counted, setCounted] = useState<Source | null>(null);
  const isOpened = source?.kind === 'file' || source === counted;
  const setPages = (pageCount: number) => setDraft((old) => ({ ...old, pageCount }));
  return (
    <div className={classes['bench']}>
      <div className={classes['form']}>
        <Panel title="Document">
          <DocumentPicker source={source} onPick={(picked) => setDraft((old) => ({ ...old, source: picked }))} />
        </Panel>
        <Panel title="Engines">
          <EngineFields engines={data.engines} draft={draft} onChange={setDraft} />
        </Panel>
        <details className={classes['settings']}>
          <summary>Settings</summary>
          <SettingsFields data={data} draft={draft} onChange={setDraft} />
        </details>
        <Panel title="Cost">
          {engines.map((engine) => (
            <Cost key={engine} {...{ engine, draft, data, isOpened }} onPages={setPages} />
          ))}
          {source?.kind === 'url' && !isOpened && (
            <div>
              <Button variant="default" size="compact-xs" onClick={() => setCounted(source)}>
                Fetch it to count its pages
              </Button>
            </div>
          )}
          <Button
            fullWidth
            size="sm"
            mt="sm"
            disabled={source === null || engines.length === 0}
            loading={runs.some(isUnderWay)}
            onClick={() =>
              source &&
              send(
                engines.map((engine) => requestBody(draft, engine, source)),
                source,
              )
            }
          >
            {source === null ? 'Choose a document first' : `Read it${engines.length > 1 ? ' with both' : ''}`}
          </Button>
        </Panel>
      </div>
      <div className={classes['results']}>
        <Results runs={runs} />
        <CodePanel draft={draft} />
      </div>
    </div>
  );
}

interface CostProps {
  readonly engine: string;
  readonly draft: Draft;
  readonly data: PlaygroundQuery;
  /** Whether the document itself is looked into. */
  readonly isOpened: boolean;
  readonly onPages: (pages: number) => void;
}

/** Of a file by the file itself; a document elsewhere is fetched when it is sent, or its pages are to be counted. */
function Cost({ engine, draft, data, isOpened, onPages }: CostProps) {
  const { source } = draft;
  if (source === null || !isOpened) return <CostNote engine={engine} draft={draft} />;
  const mostPages = data.engines.find(({ id }) => id === engine)?.maxPagesPerRequest ?? 1;
  return <DocumentCost engine={engine} draft={draft} source={source} mostPages={mostPages} onPages={onPages} />;
}

function Results({ runs }: { readonly runs: readonly Run[] }) {
  const [left, right] = runs;
  if (left === undefined) {
    return (
      <Panel title="Result">
        <Empty title="Nothing has been read yet">
          What the engine reads appears here, with its time and its charge.
        </Empty>
      </Panel>
    );
  }
  return (
    <>
      <div className={classes['runs']} data-two={right !== undefined}>
        {runs.map((run) => (
          <RunPanel key={run.engine} run={run} />
        ))}
      </div>
      {right && isDone(left) && isDone(right) && <Difference left={left} right={right} />}
    </>
  );
}

/** The recommended engine, else the first one that takes requests. */
function firstEngine({ engines }: PlaygroundQuery): string | null {
  const usable = engines.filter(({ status, obstacle }) => status === 'available' && obstacle === null);
  return (usable.find(({ recommended }) => recommended) ?? usable[0])?.id ?? null;
}
