import { Button } from '@mantine/core';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { Offline, Stale } from '@ocr-router/ui/states/offline.tsx';
import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import classes from './answer.module.css';

interface AnswerProps<Data> {
  readonly result: { readonly data?: Data | null | undefined; readonly error?: CombinedError | undefined };
  /** What is looked at, as in `The keys`. */
  readonly what: string;
  readonly retry: () => void;
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}

/** What a query has to show: its data; old data, greyed, when the service does not answer; or why there is none. */
export function Answer<Data>({ result, what, retry, rows = 4, children }: AnswerProps<Data>) {
  const { data, error } = result;
  if (data == null) {
    if (error) return <Failed title={`${what} could not be loaded`} message={failureText(error)} onRetry={retry} />;
    return <Loading rows={rows} label={`${what} are being loaded`} />;
  }
  return (
    <>
      {error && (
        <Offline>
          {what} could not be refreshed: {failureText(error)}
          <Button variant="default" size="compact-xs" onClick={retry}>
            Try again
          </Button>
        </Offline>
      )}
      <Stale stale={error !== undefined}>
        <div className={classes['parts']}>{children(data)}</div>
      </Stale>
    </>
  );
}
