import { Alert } from '@mantine/core';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import { Link } from 'wouter';
import { Panel } from '../kit/panel.tsx';
import { Elapsed } from './elapsed.tsx';
import classes from './playground.module.css';
import { ResultView } from './result-view.tsx';
import { isUnderWay, type Run } from './run.ts';

/** One engine's part: that it runs, what it read, or why it did not. */
export function RunPanel({ run }: { readonly run: Run }) {
  const { phase, engine, requestId } = run;
  const link = requestId && (
    <Link className="kit-link" href={`/requests/${requestId}`}>
      What happened, and what it cost
    </Link>
  );
  return (
    <Panel title={engine} actions={link}>
      {isUnderWay(run) && (
        <div className={classes['underWay']} role="status">
          <RequestStatus status={phase.kind === 'following' ? phase.status : 'processing'} />
          {phase.kind === 'sending' && <span>Sending and reading</span>}
          {phase.kind === 'following' && phase.pagesTotal > 0 && (
            <span>
              {phase.pagesDone} of {phase.pagesTotal} pages
            </span>
          )}
          <Elapsed sinceMs={run.startedAtMs} />
        </div>
      )}
      {phase.kind === 'failed' && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title={`${phase.isUnknown ? 'No answer' : 'Not read'}, after ${duration(phase.tookMs)}`}
        >
          {phase.message}
        </Alert>
      )}
      {phase.kind === 'done' && <ResultView result={phase.result} source={run.source} tookMs={phase.tookMs} />}
    </Panel>
  );
}
