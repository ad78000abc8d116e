import { Group } from '@mantine/core';
import { age } from '@ocr-router/ui/format/age.ts';
import { count } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import type { DetailedEngineFragment } from '../../documents.generated.ts';
import { ProbeEngineDocument, SetEngineEnabledDocument } from '../../documents.generated.ts';
import { useChange } from '../graphql/use-change.ts';
import { ConfirmButton } from '../kit/confirm-button.tsx';
import classes from './engines.module.css';

interface EngineSettingsProps {
  readonly engine: DetailedEngineFragment;
  readonly onChanged: () => void;
}

/** What the catalogue says of the engine, its switch, and a probe at once. */
export function EngineSettings({ engine, onChanged }: EngineSettingsProps) {
  return (
    <div className={classes['settings']}>
      <dl className={`kit-panel ${classes['facts']}`}>
        {factsOf(engine).map(([name, value]) => (
          <div key={name} className={classes['fact']}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Switches engine={engine} onChanged={onChanged} />
    </div>
  );
}

function Switches({ engine, onChanged }: EngineSettingsProps) {
  const { id, name, enabled } = engine;
  const toggle = useChange(SetEngineEnabledDocument, {
    done: (data) => `${name} is ${data.setEngineEnabled.enabled ? 'enabled' : 'disabled'}.`,
  });
  const probe = useChange(ProbeEngineDocument, {
    done: ({ probeEngine }) =>
      `${name} is ${probeEngine.status}${probeEngine.detail ? `: ${probeEngine.detail}` : ''}.`,
  });
  const words = enabled
    ? `New requests to ${name} are refused; those that are running finish as usual. Health checks go on.`
    : `${name} takes requests again as soon as it is healthy.`;
  return (
    <Group>
      <ConfirmButton
        color={enabled ? 'red' : undefined}
        asked="switch"
        variant={enabled ? 'light' : 'filled'}
        loading={toggle.running}
        words={words}
        subject={id}
        onConfirm={() => void toggle.run({ id, enabled: !enabled }).then(onChanged)}
      >
        {enabled ? 'Disable' : 'Enable'}
      </ConfirmButton>
      <ConfirmButton
        asked="probe"
        variant="default"
        loading={probe.running}
        words={`${name} gets one test page now; a hosted engine may charge for it.`}
        subject={id}
        onConfirm={() => void probe.run({ id }).then(onChanged)}
      >
        Probe now
      </ConfirmButton>
    </Group>
  );
}

/** Whether the catalogue and the operator let it take requests; how it does stands at the head of the page. */
function statusOf({ demo, enabled, status }: DetailedEngineFragment): string {
  if (demo) return 'demo: takes no requests';
  return enabled ? status.replace('_', ' ') : 'disabled: takes no new requests';
}

function factsOf(engine: DetailedEngineFragment): ReadonlyArray<readonly [name: string, value: string]> {
  const { stats, benchmark, health } = engine;
  return [
    ['Id', engine.id],
    ['Provider', engine.provider],
    ['Status', statusOf(engine)],
    ['Price per page', money(engine.pricePerPage)],
    ['Pages per request, at most', count(engine.maxPagesPerRequest)],
    ['Native PDF', engine.nativePdf ? 'yes' : 'no'],
    ['Accepts', engine.accepts.join(', ')],
    ['Strengths', engine.strengths.join(', ') || '–'],
    ['Health URL', health.healthUrl ?? '–'],
    ['Accuracy', benchmark ? `${benchmark.hardScore} hard, ${benchmark.easyScore} easy` : 'not measured'],
    ['Runs, all time', count(stats?.totalRequests)],
    ['Pages, all time', count(stats?.totalPages)],
    ['Errors, all time', share(stats?.errorRate)],
    ['Mean time per page', duration(stats?.avgLatencyMs)],
    ['Last used', age(stats?.lastUsed)],
  ];
}
