import { useEffect, useRef } from 'react';
import { useSubscription } from 'urql';
import { RequestChangedDocument, RequestDetailDocument } from '../../documents.generated.ts';
import { useConnection } from '../bridge/connection.tsx';
import { Answer } from '../graphql/answer.tsx';
import { useGatewayQuery } from '../graphql/use-gateway-query.ts';
import { SidePanel } from '../kit/side-panel.tsx';
import { AttemptList } from './attempt-list.tsx';
import { RawSection } from './raw-section.tsx';
import { RequestBilling } from './request-billing.tsx';
import { RequestBody } from './request-body.tsx';
import { RequestSummary } from './request-summary.tsx';
import { RequestTimeline } from './request-timeline.tsx';
import { ResultPreview } from './result-preview.tsx';
import { WebhookAttempts } from './webhook-attempts.tsx';

interface RequestPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** One request in full, beside the list; it follows what happens to it. */
export function RequestPanel({ id, onClose }: RequestPanelProps) {
  const answer = useGatewayQuery(RequestDetailDocument, { id });
  const { state } = useConnection();
  const latest = useRef(answer.refetch);
  latest.current = answer.refetch;
  const [changed] = useSubscription({ query: RequestChangedDocument, variables: { id }, pause: state !== 'live' });
  const cursor = changed.data?.requestChanged.cursor;
  useEffect(() => {
    if (cursor !== undefined) latest.current();
  }, [cursor]);
  return (
    <SidePanel what="request" title={id} id={id} onClose={onClose}>
      <Answer subject="The request" answer={answer} loadingRows={10}>
        {({ request }) => (
          <>
            <RequestSummary request={request} />
            <RequestTimeline request={request} />
            <AttemptList request={request} />
            <RequestBilling request={request} />
            <ResultPreview request={request} />
            <WebhookAttempts request={request} onSent={answer.refetch} />
            <RequestBody request={request} />
            <RawSection request={request} />
          </>
        )}
      </Answer>
    </SidePanel>
  );
}
