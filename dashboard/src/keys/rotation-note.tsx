import { Panel } from '../kit/panel.tsx';

/** How a key is exchanged without a gap. */
export function RotationNote() {
  return (
    <Panel title="Replacing a key without interruption">
      <ol style={{ margin: 0, paddingLeft: '1.25rem' }}>
        <li>Create a new key with the same scopes.</li>
        <li>Give it to your programs. Both keys work until you revoke one.</li>
        <li>When “Last used” of the old key no longer changes, revoke it.</li>
      </ol>
    </Panel>
  );
}
