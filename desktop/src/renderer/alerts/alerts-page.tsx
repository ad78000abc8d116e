import { Button } from '@mantine/core';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useMemo, useState } from 'react';
import type { AlertsNowFragment } from '../../documents.generated.ts';
import page from '../kit/page.module.css';
import { useAsked } from '../navigation/use-asked.ts';
import { AlertHistory } from './alert-history.tsx';
import classes from './alerts.module.css';
import { ChannelList } from './channel-list.tsx';
import { FiringList } from './firing-list.tsx';
import { MuteMenu } from './mute-menu.tsx';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { RuleCard } from './rule-card.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { NEW_RULE, type RuleDraft } from './rule-kinds.ts';
import { type AlertActions, useAlertActions } from './use-alert-actions.ts';
import { useAlerts } from './use-alerts.ts';

/** What the gateway watches, what it found, and where it tells of it. */
export default function AlertsPage() {
  const { answer, now } = useAlerts();
  const actions = useAlertActions(answer.refetch);
  const [edited, setEdited] = useState<RuleDraft | null>(null);
  useAsked('rule', () => setEdited(NEW_RULE));
  const names = useMemo(() => new Map(answer.data?.engines.map(({ id, name }) => [id, name])), [answer.data]);
  const nameOf = (id: string): string => names.get(id) ?? id;
  return (
    <div className={classes['page']}>
      <header className={classes['head']}>
        <h1 className={page['title']}>Alerts</h1>
        <div className={classes['controls']}>
          <MuteMenu id={null} mutedUntil={now?.mutedUntil ?? null} actions={actions} label="Mute all" />
          <Button onClick={() => setEdited(NEW_RULE)}>New rule</Button>
        </div>
      </header>
      <Answer subject="The alerts" answer={answer} loadingRows={8}>
        {({ alertOverview, alertChannels, engines }) => (
          <div className={classes['parts']}>
            <FiringList overview={now ?? alertOverview} onAcknowledge={(id) => void actions.acknowledge(id)} />
            <Rules overview={now ?? alertOverview} nameOf={nameOf} onEdit={setEdited} actions={actions} />
            <ChannelList channels={alertChannels} onChanged={answer.refetch} />
            <QuietHoursForm hours={(now ?? alertOverview).quietHours} actions={actions} />
            <AlertHistory latest={(now ?? alertOverview).ended[0]?.id ?? null} />
            {edited !== null && (
              <RuleEditor
                rule={edited}
                engines={engines}
                nameOf={nameOf}
                onClose={() => setEdited(null)}
                actions={actions}
              />
            )}
          </div>
        )}
      </Answer>
    </div>
  );
}

interface RulesProps {
  readonly overview: AlertsNowFragment;
  readonly nameOf: (engineId: string) => string;
  readonly onEdit: (rule: RuleDraft) => void;
  readonly actions: AlertActions;
}

function Rules({ overview, nameOf, onEdit, actions }: RulesProps) {
  return (
    <section aria-labelledby="rules">
      <h2 id="rules" className={classes['heading']}>
        Rules
      </h2>
      {overview.rules.length === 0 ? (
        <div className="kit-panel">
          <Empty title="No rules yet" action={<Button onClick={() => onEdit(NEW_RULE)}>New rule</Button>}>
            The gateway checks its rules whether or not a console is open, and sends alerts to its channels.
          </Empty>
        </div>
      ) : (
        <ul className={classes['rules']}>
          {overview.rules.map((rule) => (
            <RuleCard
              key={rule.id}
              rule={rule}
              isFiring={overview.firing.some(({ ruleId }) => ruleId === rule.id)}
              nameOf={nameOf}
              onEdit={() => onEdit(rule)}
              actions={actions}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
