import { Button } from '@mantine/core';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { useMemo, useState } from 'react';
import { AlertEnginesDocument } from '../../documents.generated.ts';
import type { AlertRuleInput } from '../../shared/alerts.ts';
import classes from './alerts.module.css';
import { FiringList } from './firing-list.tsx';
import { MuteMenu } from './mute-menu.tsx';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { RuleCard } from './rule-card.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { NEW_RULE } from './rule-kinds.ts';
import { useAlertOverview } from './use-alert-overview.ts';

/** What this console watches on the gateway, and when it tells of it. */
export default function AlertsPage() {
  const { overview, failure, reload, change } = useAlertOverview();
  const { data } = useQuery(AlertEnginesDocument, {});
  const [edited, setEdited] = useState<AlertRuleInput | null>(null);
  const engines = data?.engines ?? [];
  const names = useMemo(() => new Map(data?.engines.map(({ id, name }) => [id, name])), [data]);
  const nameOf = (id: string): string => names.get(id) ?? id;
  if (failure && !overview) {
    return <Failed title="The alerts could not be loaded" message={failure.message} onRetry={() => void reload()} />;
  }
  if (!overview) return <Loading rows={8} label="Alerts: loading" />;
  return (
    <div className={classes['page']}>
      <header className={classes['head']}>
        <h1 className={classes['title']}>Alerts</h1>
        <div className={classes['controls']}>
          <MuteMenu id={null} mutedUntil={overview.mutedUntil} change={change} label="Mute all" />
          <Button onClick={() => setEdited(NEW_RULE)}>New rule</Button>
        </div>
      </header>
      <FiringList overview={overview} />
      <section aria-labelledby="rules">
        <h2 id="rules" className={classes['heading']}>
          Rules
        </h2>
        {overview.rules.length === 0 ? (
          <div className="kit-panel">
            <Empty title="No rules yet" action={<Button onClick={() => setEdited(NEW_RULE)}>New rule</Button>}>
              A rule watches this gateway while the console runs, and tells by a notification.
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
                onEdit={() => setEdited(rule)}
                change={change}
              />
            ))}
          </ul>
        )}
      </section>
      <QuietHoursForm hours={overview.quietHours} change={change} />
      {edited !== null && (
        <RuleEditor rule={edited} engines={engines} nameOf={nameOf} onClose={() => setEdited(null)} change={change} />
      )}
    </div>
  );
}
