import { Switch } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import { SetHistoryDocument } from '../documents.generated.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';

interface HistorySwitchProps {
  readonly isOn: boolean;
  readonly onChanged: () => void;
}

/** Whether texts are kept. Off deletes them, so it asks first and says what goes. */
export function HistorySwitch({ isOn, onChanged }: HistorySwitchProps) {
  const [isAsking, setAsking] = useState(false);
  const { run, running, failure, forget } = useMutation(SetHistoryDocument);
  const set = async (on: boolean): Promise<void> => {
    if (!(await run({ on }))) return;
    setAsking(false);
    onChanged();
  };
  const close = (): void => {
    forget();
    setAsking(false);
  };
  return (
    <>
      <Switch
        size="sm"
        label="Keep the texts of finished requests"
        description={
          isOn
            ? 'Results can be read again, here and with GET /v1/ocr/{request_id}.'
            : 'Texts are in the answer only: reading a request again answers 410, and async requests are refused.'
        }
        checked={isOn}
        disabled={running}
        onChange={(event) => (event.currentTarget.checked ? void set(true) : setAsking(true))}
      />
      {failure && !isAsking && <p role="alert">{failure}</p>}
      <ConfirmDialog
        title="Stop keeping texts?"
        opened={isAsking}
        keep="Keep them"
        act="Turn off and delete"
        acting={running}
        onAct={() => void set(false)}
        onClose={close}
        failure={failure}
      >
        <p>This deletes at once, for good:</p>
        <ul style={{ margin: 0, paddingLeft: '1.25rem' }}>
          <li>the texts and previews of all finished requests,</li>
          <li>the texts of their pages,</li>
          <li>the bodies of webhooks that were delivered or given up.</li>
        </ul>
        <p>
          It keeps what was sent when, by which engine and key, and what it cost. Those requests stay without text even
          if you turn this on again. Until then, async requests are refused.
        </p>
      </ConfirmDialog>
    </>
  );
}
