import { duration } from '@ocr-router/ui/format/duration.ts';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import type { DetailedRequestFragment } from '../../documents.generated.ts';
import { SendWebhookAgainDocument } from '../../documents.generated.ts';
import { useChange } from '../graphql/use-change.ts';
import { ConfirmButton } from '../kit/confirm-button.tsx';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';

interface WebhookAttemptsProps {
  readonly request: DetailedRequestFragment;
  readonly onSent: () => void;
}

/** Each attempt to tell the account's receiver, and sending it once more. */
export function WebhookAttempts({ request, onSent }: WebhookAttemptsProps) {
  const { deliveries } = request;
  const again = useChange(SendWebhookAgainDocument, { done: () => 'The webhook is on its way again.' });
  const last = deliveries.at(-1);
  if (last === undefined) return null;
  return (
    <Section
      title="Webhook"
      controls={
        last.status !== 'pending' && (
          <ConfirmButton
            variant="default"
            loading={again.running}
            subject={last.id}
            words={`The same bytes go to ${last.url} under the same webhook-id. A receiver that remembers ids recognises the repeat.`}
            onConfirm={() => void again.run({ deliveryId: last.id }).then(onSent)}
          >
            Send again
          </ConfirmButton>
        )
      }
    >
      <p className={`${panel['words']} ${panel['mono']}`}>{last.url}</p>
      {deliveries.map((delivery) => (
        <div key={`${delivery.createdAt} ${delivery.round} ${delivery.attempt}`} className={panel['item']}>
          <div className={panel['itemHead']}>
            <RequestStatus status={delivery.status} />
            <span>{answerOf(delivery)}</span>
            <span className={`${panel['itemEnd']} kit-soft`}>
              {delivery.attempt > 0 &&
                `attempt ${delivery.attempt}${delivery.round > 1 ? ` of sending ${delivery.round}` : ''}, `}
              {shortTime(delivery.createdAt)}
              {delivery.latencyMs != null && `, ${duration(delivery.latencyMs)}`}
            </span>
          </div>
          {delivery.error && <p className={panel['words']}>{delivery.error}</p>}
        </div>
      ))}
    </Section>
  );
}

function answerOf({ responseCode, attempt }: DetailedRequestFragment['deliveries'][number]): string {
  if (responseCode != null) return `HTTP ${responseCode}`;
  return attempt === 0 ? 'not sent' : 'no answer';
}
