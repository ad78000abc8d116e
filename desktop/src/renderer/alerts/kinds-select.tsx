import { MultiSelect } from '@mantine/core';
import type { AlertKind } from '../../documents.generated.ts';
import { RULE_KINDS } from './rule-kinds.ts';

const KINDS = RULE_KINDS.map(({ kind, name }) => ({ value: kind, label: name }));

interface KindsSelectProps {
  /** Empty: all of them. */
  readonly kinds: readonly AlertKind[];
  readonly onChange: (kinds: readonly AlertKind[]) => void;
}

/** Which kinds of alerts a channel is told of. */
export function KindsSelect({ kinds, onChange }: KindsSelectProps) {
  return (
    <MultiSelect
      label="Alerts"
      description="Which alerts are sent there; all of them if none is chosen."
      placeholder={kinds.length === 0 ? 'All alerts' : undefined}
      clearable
      comboboxProps={{ position: 'top' }} // what saves the choice stands below
      data={KINDS}
      value={[...kinds]}
      onChange={(chosen) => onChange(chosen as AlertKind[])} // some of the above
    />
  );
}
