import { ActionIcon } from '@mantine/core';
import { Sparkline } from '@ocr-router/ui/charts/sparkline.tsx';
import { UptimeStrip } from '@ocr-router/ui/charts/uptime-strip.tsx';
import { age } from '@ocr-router/ui/format/age.ts';
import { plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { percent, share } from '@ocr-router/ui/format/percent.ts';
import { isHighErrorRate } from '@ocr-router/ui/status/error-rate.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { Link, useLocation } from 'wouter';
import { Icon } from '../kit/icon.tsx';
import classes from './engines.module.css';
import type { WallEngine } from './wall-engine.ts';

interface EngineCardProps {
  readonly engine: WallEngine;
  readonly onPin: (id: string) => void;
}

/** One engine on the wall. */
export function EngineCard({ engine, onPin }: EngineCardProps) {
  const [, navigate] = useLocation();
  const { id, name, provider, state, window, uptime, pinned } = engine;
  return (
    <article className={`kit-panel ${classes['card']}`} data-state={state} aria-label={name}>
      <header className={classes['cardHead']}>
        <StatusMark state={state} />
        <ActionIcon
          size={22}
          aria-label={pinned ? `Unpin ${name}` : `Pin ${name}`}
          aria-pressed={pinned}
          className={classes['pin']}
          onClick={() => onPin(id)}
        >
          <Icon name="pin" sizePx={14} />
        </ActionIcon>
      </header>
      <Link href={`/engines/${id}`} className={classes['cardName']} title={name}>
        {name}
      </Link>
      <span className={classes['cardProvider']}>
        {provider}
        {engine.demo && ' · demo'}
      </span>
      <div className={classes['cardFigures']}>
        <span className={classes['big']}>{duration(window.p95Ms)}</span>
        <span className={classes['small']}>
          {window.p95Ms === null ? (
            'no runs in this time'
          ) : (
            <>
              <span>p95 per page</span> · <span>p50 {duration(window.p50Ms)}</span> ·{' '}
              <span>p99 {duration(window.p99Ms)}</span>
            </>
          )}
        </span>
      </div>
      <Sparkline slots={engine.hours} label="p95 per page over 24 h" caption="24 h" />
      <div className={classes['cardUptime']}>
        <div className={classes['cardUptimeHead']}>
          <span>30 days</span>
          <span className={classes['cardPct']}>{percent(uptime.overallUptimePct)}</span>
        </div>
        <UptimeStrip
          label={`Uptime of ${name}, 30 days`}
          slots={engine.days}
          heightPx={18}
          onOpenDay={(date) => navigate(`/engines/${id}?tab=uptime&day=${date}`)}
        />
      </div>
      <footer className={classes['cardFoot']}>
        <span title="Price per page">{money(engine.pricePerPage)}/page</span>
        <span className={isHighErrorRate(window) ? classes['manyErrors'] : undefined}>
          {window.errorRate === null ? '' : `${share(window.errorRate)} errors`}
        </span>
        {window.unavailable > 0 && (
          <span className={classes['manyErrors']} title="Calls that asked for it while it took no requests">
            {plural(window.unavailable, 'call')} refused
          </span>
        )}
        <span>{engine.stats?.lastUsed ? `used ${age(engine.stats.lastUsed)}` : 'never used'}</span>
      </footer>
    </article>
  );
}
