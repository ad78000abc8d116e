import { everyDay } from '@ocr-router/ui/charts/days.ts';
import { dayText, UptimeStrip } from '@ocr-router/ui/charts/uptime-strip.tsx';
import { plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { engineState } from '@ocr-router/ui/status/engine-state.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { useState } from 'react';
import { isProbed, reliabilityText } from './engine-words.ts';
import type { EngineLook } from './service-status.ts';
import classes from './status.module.css';

interface EngineUptimeProps extends EngineLook {
  readonly days: number;
  readonly nowMs: number;
}

/** One engine: how it is, and its days, where it is probed. */
export function EngineUptime({ days, nowMs, ...engine }: EngineUptimeProps) {
  const { health, uptime, obstacle } = engine;
  const [open, setOpen] = useState<string | null>(null);
  const slots = everyDay(
    uptime.data.map((day) => ({
      date: day.date,
      uptimePct: day.uptime_pct ?? 0, // without checks nobody looks at it
      checksTotal: day.checks_total,
      checksHealthy: day.checks_healthy,
    })),
    days,
    nowMs,
  );
  const shown = slots.find(({ date }) => date === open);
  return (
    <article className={classes['engine']}>
      <header className={classes['engineHead']}>
        <h3 className={classes['engineName']}>{health.engine_name}</h3>
        <StatusMark state={engineState({ health: health.status, obstacle })} />
        {health.metrics.p95_latency_ms !== null && (
          <span className="kit-soft">p95 {duration(health.metrics.p95_latency_ms)} per page</span>
        )}
        <strong className={classes['uptime']}>{reliabilityText(engine)}</strong>
      </header>
      {health.detail && <p className="kit-soft">{health.detail}</p>}
      {isProbed(engine) && (
        <>
          <UptimeStrip
            label={`${health.engine_name}, the last ${days} days`}
            slots={slots}
            openDate={open}
            onOpenDay={(date) => setOpen(date === open ? null : date)}
          />
          <footer className={classes['engineFoot']}>
            <span>{days} days ago</span>
            <span>{shown ? dayText(shown) : plural(uptime.total_checks, 'check')}</span>
            <span>today</span>
          </footer>
        </>
      )}
    </article>
  );
}
