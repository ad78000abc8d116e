import { Button, Group, NumberInput } from '@mantine/core';
import { plural } from '@ocr-router/ui/format/count.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type FormEvent, useState } from 'react';
import { SetRetentionDocument } from '../documents.generated.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';

/** What the service takes. */
const MOST_DAYS = 3650;

interface RetentionProps {
  /** Null: for ever. */
  readonly textDays: number | null;
  readonly onChanged: () => void;
}

/** For how long texts are kept. A shorter time deletes some, so it asks first. */
export function Retention({ textDays, onChanged }: RetentionProps) {
  const [days, setDays] = useState(textDays);
  const [isAsking, setAsking] = useState(false);
  const { run, running, failure, forget } = useMutation(SetRetentionDocument);
  const save = async (): Promise<void> => {
    if (!(await run({ textDays: days }))) return;
    setAsking(false);
    onChanged();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isShorter = days !== null && (textDays === null || days < textDays);
    if (isShorter) setAsking(true);
    else void save();
  };
  const close = (): void => {
    forget();
    setAsking(false);
  };
  return (
    <form onSubmit={submit} style={{ marginTop: 16 }}>
      <Group align="flex-end" gap="sm">
        <NumberInput
          label="Days for which texts are kept"
          description={
            textDays === null
              ? 'Now: for ever.'
              : `Now: ${plural(textDays, 'day')} from the end of a request. Results have that time as retained_until.`
          }
          placeholder="for ever"
          w={280}
          min={1}
          max={MOST_DAYS}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          value={days ?? ''}
          onChange={(value) => setDays(typeof value === 'number' ? value : null)}
        />
        <Button type="submit" variant="default" disabled={days === textDays} loading={running && !isAsking}>
          Save
        </Button>
      </Group>
      {failure && !isAsking && <p role="alert">{failure}</p>}
      <ConfirmDialog
        title="Keep texts for less time?"
        opened={isAsking}
        keep="Leave it as it is"
        act="Delete older texts"
        acting={running}
        onAct={() => void save()}
        onClose={close}
        failure={failure}
      >
        <p>
          Texts of requests that ended more than {plural(days ?? 0, 'day')} ago cannot be read any more from this moment
          on, and are deleted for good within an hour: texts, messages, settings, addresses of documents, the bodies of
          their webhooks.
        </p>
        <p>What was sent when, by which engine and key, and what it cost, is kept.</p>
      </ConfirmDialog>
    </form>
  );
}
