import { age } from '@ocr-router/ui/format/age.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type KeyRowFragment, RevokeKeyDocument } from '../documents.generated.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';

interface RevokeKeyProps {
  readonly value: KeyRowFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before a key is refused for good. */
export function RevokeKey({ value, onClose, onDone }: RevokeKeyProps) {
  const { run, running, failure } = useMutation(RevokeKeyDocument);
  const revoke = async (): Promise<void> => {
    if (await run({ id: value.id })) onDone();
  };
  return (
    <ConfirmDialog
      title={`Revoke ${value.label ?? value.prefix}?`}
      keep="Keep it"
      act="Revoke the key"
      acting={running}
      onAct={() => void revoke()}
      onClose={onClose}
      failure={failure}
    >
      <p>
        Calls with <code>{value.prefix}…</code> are refused from now on; the key cannot be restored. It was last used{' '}
        {age(value.lastUsedAt)}.
      </p>
      <p className="kit-soft">Requests that are running finish and are charged as usual.</p>
    </ConfirmDialog>
  );
}
