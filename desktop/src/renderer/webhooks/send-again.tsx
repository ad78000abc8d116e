import { notifications } from '@mantine/notifications';
import { plural } from '@ocr-router/ui/format/count.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type FailedLineFragment, SendWebhooksAgainDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ConfirmButton } from '../kit/confirm-button.tsx';
import { chunks, receiversOf } from './receivers.ts';

/** As many as the gateway takes at once. */
const MOST_AT_ONCE = 100;
const MOST_NAMED = 3;

interface SendAgainProps {
  readonly failed: readonly FailedLineFragment[];
  readonly onSent: () => void;
}

/** Sends all of these webhooks again, after a question that names their receivers. */
export function SendAgain({ failed, onSent }: SendAgainProps) {
  const { run, running } = useMutation(SendWebhooksAgainDocument, showFailure);
  if (failed.length === 0) return null;
  const send = async (): Promise<void> => {
    let sent = 0;
    for (const part of chunks(failed, MOST_AT_ONCE)) {
      const answer = await run({ deliveryIds: part.map(({ id }) => id) });
      if (answer === null) break;
      sent += answer.redeliverWebhooks;
    }
    if (sent > 0) notifications.show({ message: `${plural(sent, 'webhook')} on the way again.` });
    onSent();
  };
  return (
    <ConfirmButton
      variant="default"
      size="compact-xs"
      loading={running}
      subject={String(failed.length)}
      words={`To ${named(receiversOf(failed).map(([receiver]) => receiver))}: the same bytes under the same webhook-id, so a receiver that remembers ids recognises the repeats.`}
      onConfirm={() => void send()}
    >
      {`Send ${plural(failed.length, 'webhook')} again`}
    </ConfirmButton>
  );
}

function named(receivers: readonly string[]): string {
  const more = receivers.length - MOST_NAMED;
  const shown = receivers.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown} and ${plural(more, 'other')}` : shown;
}
