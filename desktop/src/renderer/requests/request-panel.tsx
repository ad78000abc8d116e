import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useRequestChanges } from '@ocr-router/ui/requests/use-request-changes.ts';
import { useWhilePending } from '@ocr-router/ui/webhooks/use-while-pending.ts';
import { RequestChangedDocument, RequestDetailDocument } from '../../documents.generated.ts';
import { useConnection } from '../bridge/connection.tsx';
import { SidePanel } from '../kit/side-panel.tsx';
import { AttemptList } from './attempt-list.tsx';
import { CancelRequest } from './cancel-request.tsx';
import { PageList } from './page-list.tsx';
import { RawSection } from './raw-section.tsx';
import { RequestBilling } from './request-billing.tsx';
import { RequestBody } from './request-body.tsx';
import { RequestSummary } from './request-summary.tsx';
import { RequestTimeline } from './request-timeline.tsx';
import { ResultPreview } from './result-preview.tsx';
import { RunningJob } from './running-job.tsx';
import { WebhookAttempts } from './webhook-attempts.tsx';

interface RequestPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** One request in full, beside the list; it follows what happens to it. */
export function RequestPanel({ id, onClose }: RequestPanelProps) {
  const answer = useQuery(RequestDetailDocument, { id });
  const { state } = useConnection();
  useRequestChanges(RequestChangedDocument, { id, pause: state !== 'live', onChange: answer.refetch });
  useWhilePending(state === 'live' ? (answer.data?.request.deliveries ?? []) : [], answer.refetch);
  return (
    <SidePanel what="request" title={id} id={id} onClose={onClose}>
      <Answer subject="The request" answer={answer} loadingRows={10}>
        {({ request, engines }) => (
          <>
            <CancelRequest request={request} onCancelled={answer.refetch} />
            <RequestSummary request={request} />
            <RunningJob request={request} onLook={answer.refetch} />
            <RequestTimeline request={request} />
            <AttemptList request={request} engines={engines} />
            <PageList key={request.id} request={request} />
            <RequestBilling request={request} onRefunded={answer.refetch} />
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
