import { age } from '@ocr-router/ui/format/age.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { Offline, Stale } from '@ocr-router/ui/states/offline.tsx';
import type { ReactNode } from 'react';
import { useConnection } from '../bridge/connection.tsx';
import type { GatewayAnswer } from './use-gateway-query.ts';

interface AnswerProps<Data> {
  /** What is asked for, as in `The engines`. */
  readonly subject: string;
  readonly answer: GatewayAnswer<Data>;
  readonly loadingRows?: number;
  readonly children: (data: Data) => ReactNode;
}

/** A query's answer in whichever state it is: loading, failed, of the last snapshot (greyed), or of now. */
export function Answer<Data>({ subject, answer, loadingRows, children }: AnswerProps<Data>) {
  const { state } = useConnection();
  const { data, failure, snapshotAtMs, refetch } = answer;
  // An answer of errors alone comes with `data: null`.
  if (data == null) {
    if (failure === undefined) return <Loading label={`${subject}: loading`} rows={loadingRows} />;
    return <Failed title={`${subject} could not be loaded`} message={failureText(failure)} onRetry={refetch} />;
  }
  const stale = snapshotAtMs !== null || state === 'offline';
  return (
    <>
      {snapshotAtMs !== null && (
        <Offline>
          {subject} as of {age(snapshotAtMs)}: the gateway cannot be reached.
        </Offline>
      )}
      <Stale stale={stale}>{children(data)}</Stale>
    </>
  );
}
