import { Button } from '@mantine/core';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { failureCode } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { pastedId } from '@ocr-router/ui/requests/pasted-id.ts';
import { understoodBody } from '@ocr-router/ui/requests/understood-body.ts';
import { useRequestChanges } from '@ocr-router/ui/requests/use-request-changes.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import { useWhilePending } from '@ocr-router/ui/webhooks/use-while-pending.ts';
import { Link } from 'wouter';
import { RequestChangedDocument, RequestDocument, type RequestQuery } from '../documents.generated.ts';
import { CodeBlock } from '../kit/code-block.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { Page } from '../kit/page.tsx';
import { Panel } from '../kit/panel.tsx';
import { DeliveryTable } from '../webhooks/delivery-table.tsx';
import { Attempts } from './attempts.tsx';
import { CancelRequest } from './cancel-request.tsx';
import { Charge } from './charge.tsx';
import { ReadAgain } from './read-again.tsx';
import { RefusedCallPage } from './refused-call-page.tsx';
import { RequestFacts } from './request-facts.tsx';
import { RequestText } from './request-text.tsx';
import classes from './requests.module.css';
import { Timeline } from './timeline.tsx';

/** What an id leads to: a request, or a call that never became one. */
export default function RequestPage({ id }: { readonly id: string }) {
  return pastedId(id)?.kind === 'call' ? <RefusedCallPage id={id} /> : <KnownRequestPage id={id} />;
}

/** One request with everything that happened to it, and what it cost and why. */
function KnownRequestPage({ id }: { readonly id: string }) {
  const answer = useQuery(RequestDocument, { id });
  const request = answer.data?.request;
  useRequestChanges(RequestChangedDocument, { id, pause: request?.finishedAt != null, onChange: answer.refetch });
  useWhilePending(request?.deliveries ?? [], answer.refetch);
  const isMissing = answer.failure !== undefined && failureCode(answer.failure) === 'not_found';
  const heading = (
    <span className={classes['heading']}>
      <span className={classes['headingId']}>{id}</span>
      {request && <RequestStatus status={request.status} />}
    </span>
  );
  const actions = (
    <>
      {request && request.finishedAt === null && <CancelRequest request={request} onCancelled={answer.refetch} />}
      {request && request.finishedAt !== null && request.status !== 'succeeded' && <ReadAgain request={request} />}
      <CopyButton text={id} verb="Copy the id" />
      <Button component={Link} href="/requests" variant="default">
        All requests
      </Button>
    </>
  );
  return (
    <Page title={`Request ${id}`} heading={heading} actions={actions}>
      {isMissing ? (
        <Empty title="Your account has no such request">The id may be mistyped, or belong to another account.</Empty>
      ) : (
        <Answer answer={answer} subject="The request" loadingRows={10} spaced>
          {(data) => <RequestParts request={data.request} onChanged={answer.refetch} />}
        </Answer>
      )}
    </Page>
  );
}

interface RequestPartsProps {
  readonly request: RequestQuery['request'];
  readonly onChanged: () => void;
}

function RequestParts({ request, onChanged }: RequestPartsProps) {
  return (
    <>
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <Panel title="Summary">
            <RequestFacts request={request} onLook={onChanged} />
          </Panel>
        </div>
        <div className={classes['column']}>
          <Panel title="What it cost, and why">
            <Charge request={request} />
          </Panel>
          <Panel title="Timeline">
            <Timeline events={request.timeline} />
          </Panel>
        </div>
      </div>
      <div className={classes['column']}>
        <RequestText request={request} />
        <Attempts attempts={request.attempts} />
        {request.deliveries.length > 0 && (
          <Panel title="Webhook" flush>
            <DeliveryTable deliveries={request.deliveries} onChanged={onChanged} />
          </Panel>
        )}
        <Panel title="The request as it was understood">
          <CodeBlock label="The request as JSON" text={JSON.stringify(understoodBody(request), null, 2)} />
        </Panel>
      </div>
    </>
  );
}
