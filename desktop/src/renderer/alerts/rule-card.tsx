import { Button, Group, Switch } from '@mantine/core';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { useState } from 'react';
import type { RuleLineFragment } from '../../documents.generated.ts';
import classes from './alerts.module.css';
import { isMuted, MuteMenu } from './mute-menu.tsx';
import { ruleSentence } from './rule-sentence.ts';
import { SEVERITIES } from './severities.ts';
import type { AlertActions } from './use-alert-actions.ts';

interface RuleCardProps {
  readonly rule: RuleLineFragment;
  readonly isFiring: boolean;
  readonly nameOf: (engineId: string) => string;
  readonly onEdit: () => void;
  readonly actions: Pick<AlertActions, 'save' | 'remove' | 'mute'>;
}

/** A rule as a sentence, how it stands, and what can be done with it. */
export function RuleCard({ rule, isFiring, nameOf, onEdit, actions }: RuleCardProps) {
  const { id, enabled, mutedUntil } = rule;
  const [removing, setRemoving] = useState(false);
  const sentence = ruleSentence(rule, nameOf);
  return (
    <li className={`kit-panel ${classes['rule']}`} data-enabled={enabled}>
      <div className={classes['ruleState']}>
        <RuleState rule={rule} isFiring={isFiring} />
      </div>
      <p className={classes['sentence']}>{sentence}</p>
      <Group gap="xs" className={classes['ruleControls']}>
        <Switch
          aria-label={`On: ${sentence}`}
          checked={enabled}
          onChange={(event) => void actions.save({ ...rule, enabled: event.currentTarget.checked })}
        />
        {enabled && <MuteMenu id={id} mutedUntil={mutedUntil} actions={actions} label="Mute" />}
        <Button variant="default" onClick={onEdit}>
          Edit
        </Button>
        {removing ? (
          <Button color="red" onClick={() => void actions.remove(id)}>
            Remove for good
          </Button>
        ) : (
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )}
      </Group>
    </li>
  );
}

function RuleState({ rule, isFiring }: Pick<RuleCardProps, 'rule' | 'isFiring'>) {
  const { enabled, mutedUntil, severity } = rule;
  if (!enabled) return <StatusMark state="disabled" word="Off" />;
  return (
    <>
      <StatusMark state={isFiring ? SEVERITIES[severity].look : 'healthy'} word={isFiring ? 'Firing' : 'Quiet'} />
      <div className={classes['small']}>{SEVERITIES[severity].name}</div>
      {isMuted(mutedUntil) && (
        <div className={classes['small']}>
          muted until
          <br />
          {shortTime(mutedUntil)}
        </div>
      )}
    </>
  );
}
