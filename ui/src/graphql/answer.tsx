import { Button } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { age } from '../format/age.ts';
import { Failed } from '../states/failed.tsx';
import { Loading } from '../states/loading.tsx';
import { Offline, Stale } from '../states/offline.tsx';
import classes from './answer.module.css';
import { failureText } from './failure-text.ts';
import type { Answered } from './use-query.ts';

/** Whether the service is known to be out of reach: what was loaded before is greyed then. */
export const OutOfReach = createContext(false);

interface AnswerProps<Data> {
  /** What is asked for, as in `The engines`. */
  readonly subject: string;
  readonly answer: Pick<Answered<Data>, 'data' | 'failure' | 'refetch'> & Partial<Answered<Data>>;
  readonly loadingRows?: number;
  /** Whether its children are parts of a page, with room between them. */
  readonly spaced?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/** A query's answer in whichever state it is: loading, failed, out of date (greyed, with the reason), or current. */
export function Answer<Data>({ subject, answer, loadingRows = 4, spaced = false, children }: AnswerProps<Data>) {
  const isOutOfReach = useContext(OutOfReach);
  const { data, failure, snapshotAtMs = null, refetch } = answer;
  // An answer of errors alone comes with `data: null`.
  if (data == null) {
    if (failure === undefined) return <Loading label={`${subject}: loading`} rows={loadingRows} />;
    return <Failed title={`${subject} could not be loaded`} message={failureText(failure)} onRetry={refetch} />;
  }
  return (
    <>
      {snapshotAtMs !== null && (
        <Offline>
          {subject} as of {age(snapshotAtMs)}: the gateway cannot be reached.
        </Offline>
      )}
      {failure && (
        <Offline>
          {subject} could not be refreshed: {failureText(failure)}
          <Button variant="default" size="compact-xs" onClick={refetch}>
            Try again
          </Button>
        </Offline>
      )}
      <Stale stale={snapshotAtMs !== null || failure !== undefined || isOutOfReach}>
        {spaced ? <div className={classes['parts']}>{children(data)}</div> : children(data)}
      </Stale>
    </>
  );
}
