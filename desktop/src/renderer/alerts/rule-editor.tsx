import { Button, Group, Modal, NumberInput, Select, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AlertKind, AlertRuleInput } from '../../shared/alerts.ts';
import { bridge } from '../bridge/bridge.ts';
import classes from './alerts.module.css';
import { RULE_KINDS, ruleKind, withKind } from './rule-kinds.ts';
import { RulePreview } from './rule-preview.tsx';
import { ruleSentence } from './rule-sentence.ts';

interface RuleEditorProps {
  readonly rule: AlertRuleInput;
  readonly engines: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly nameOf: (engineId: string) => string;
  readonly onClose: () => void;
  readonly change: (act: () => Promise<unknown>) => Promise<boolean>;
}

/** Writes a rule: its sentence and what it would have told stand below while it is written. */
export function RuleEditor({ rule, engines, nameOf, onClose, change }: RuleEditorProps) {
  const [draft, setDraft] = useState<AlertRuleInput>(() => inputOf(rule));
  const isComplete = draft.threshold === null || draft.threshold > 0;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isComplete && (await change(() => bridge.invoke('alerts.save', draft)))) onClose();
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
  readonly draft: AlertRuleInput;
  readonly onChange: (draft: AlertRuleInput) => void;
}

function RuleFields({ draft, engines, onChange }: RuleFieldsProps) {
  const { ofEngines } = ruleKind(draft.kind);
  const set = (part: Partial<AlertRuleInput>): void => onChange({ ...draft, ...part });
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
      <Checks label="After so many bad checks" value={draft.fireAfter} onChange={(fireAfter) => set({ fireAfter })} />
      <Checks
        label="Recovered after so many good"
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
  readonly draft: AlertRuleInput;
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

/** A stored rule without what only the shell knows of it. */
function inputOf({ id, kind, engineId, threshold, fireAfter, recoverAfter, cooldownMinutes, enabled }: AlertRuleInput) {
  return { id, kind, engineId, threshold, fireAfter, recoverAfter, cooldownMinutes, enabled };
}
