import { Button, Group, Modal, NumberInput, Select, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AlertKind, AlertSeverity } from '../../documents.generated.ts';
import classes from './alerts.module.css';
import { RULE_KINDS, type RuleDraft, ruleKind, withKind } from './rule-kinds.ts';
import { RulePreview } from './rule-preview.tsx';
import { ruleSentence } from './rule-sentence.ts';
import { SEVERITIES } from './severities.ts';
import type { AlertActions } from './use-alert-actions.ts';

const SEVERITY_CHOICES = Object.entries(SEVERITIES).map(([value, { words }]) => ({ value, label: words }));

interface RuleEditorProps {
  readonly rule: RuleDraft;
  readonly engines: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly nameOf: (engineId: string) => string;
  readonly onClose: () => void;
  readonly actions: Pick<AlertActions, 'save'>;
}

/** Writes a rule: its sentence and what it would have told stand below while it is written. */
export function RuleEditor({ rule, engines, nameOf, onClose, actions }: RuleEditorProps) {
  const [draft, setDraft] = useState(rule);
  const isComplete = draft.threshold === null || draft.threshold > 0;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isComplete && (await actions.save(draft))) onClose();
  };
  return (
    <Modal opened onClose={onClose} title={rule.id === undefined ? 'New rule' : 'Edit the rule'} size="lg">
      <form onSubmit={save}>
        <Stack gap="sm">
          <RuleFields draft={draft} engines={engines} onChange={setDraft} />
          <p className={classes['draft']}>{ruleSentence(draft, nameOf)}</p>
          {isComplete && <RulePreview draft={draft} nameOf={nameOf} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isComplete}>
              Save the rule
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface RuleFieldsProps extends Pick<RuleEditorProps, 'engines'> {
  readonly draft: RuleDraft;
  readonly onChange: (draft: RuleDraft) => void;
}

function RuleFields({ draft, engines, onChange }: RuleFieldsProps) {
  const { ofEngines } = ruleKind(draft.kind);
  const set = (part: Partial<RuleDraft>): void => onChange({ ...draft, ...part });
  return (
    <div className={classes['fields']}>
      <Select
        label="When"
        data-autofocus
        allowDeselect={false}
        data={RULE_KINDS.map(({ kind, name }) => ({ value: kind, label: name }))}
        value={draft.kind}
        onChange={(kind) => kind !== null && onChange(withKind(draft, kind as AlertKind))} // one of the above
      />
      {ofEngines && (
        <Select
          label="Engine"
          placeholder="Any, each by itself"
          clearable
          data={engines.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.engineId}
          onChange={(engineId) => set({ engineId })}
        />
      )}
      <Threshold draft={draft} onChange={(threshold) => set({ threshold })} />
      <Select
        label="Severity"
        allowDeselect={false}
        data={SEVERITY_CHOICES}
        value={draft.severity}
        onChange={(severity) => severity !== null && set({ severity: severity as AlertSeverity })} // one of the above
      />
      <Checks
        label="Fires after bad checks in a row"
        value={draft.fireAfter}
        onChange={(fireAfter) => set({ fireAfter })}
      />
      <Checks
        label="Recovers after good checks in a row"
        value={draft.recoverAfter}
        onChange={(recoverAfter) => set({ recoverAfter })}
      />
      <NumberInput
        label="Then silent for"
        suffix=" min"
        min={0}
        max={1440}
        value={draft.cooldownMinutes}
        onChange={(minutes) => typeof minutes === 'number' && set({ cooldownMinutes: minutes })}
      />
    </div>
  );
}

interface ThresholdProps {
  readonly draft: RuleDraft;
  readonly onChange: (threshold: number) => void;
}

function Threshold({ draft, onChange }: ThresholdProps) {
  const { threshold } = ruleKind(draft.kind);
  if (threshold === null) return null;
  const { label, suffix, perUnit, most } = threshold;
  return (
    <NumberInput
      // Another kind counts in another unit: what was half typed there means nothing here.
      key={draft.kind}
      label={label}
      suffix={suffix}
      min={0}
      max={most}
      decimalScale={2}
      defaultValue={Number(((draft.threshold ?? 0) / perUnit).toFixed(4))}
      onChange={(value) => onChange(typeof value === 'number' ? value * perUnit : 0)}
    />
  );
}

interface ChecksProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (checks: number) => void;
}

function Checks({ label, value, onChange }: ChecksProps) {
  return (
    <NumberInput
      label={label}
      min={1}
      max={120}
      allowDecimal={false}
      value={value}
      onChange={(checks) => typeof checks === 'number' && checks >= 1 && onChange(checks)}
    />
  );
}
