import { Tabs } from '@mantine/core';
import { lasting } from '@ocr-router/ui/format/age.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { engineState } from '@ocr-router/ui/status/engine-state.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import {
  type DetailedEngineFragment,
  EngineDetailDocument,
  EngineWallHealthDocument,
} from '../../documents.generated.ts';
import { useRefetchOn } from '../graphql/use-refetch-on.ts';
import { Icon } from '../kit/icon.tsx';
import page from '../kit/page.module.css';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { EngineSettings } from './engine-settings.tsx';
import classes from './engines.module.css';
import { ErrorsTab } from './errors-tab.tsx';
import { LatencyTab } from './latency-tab.tsx';
import { MoneyTab } from './money-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';
import { UptimeTab } from './uptime-tab.tsx';

/** One engine: how it is and since when; its latency, errors, uptime, requests, money and settings. */
export function EngineDetail({ id }: { readonly id: string }) {
  const answer = useQuery(EngineDetailDocument, { id });
  useRefetchOn(EngineWallHealthDocument, answer.refetch);
  const [tab, setTab] = useSearchParam('tab');
  return (
    <div className={classes['detail']}>
      {!answer.data && <Head title={id} />}
      <Answer subject="The engine" answer={answer}>
        {({ engine }) => (
          <>
            <DetailHead engine={engine} />
            <Tabs value={tab ?? 'latency'} onChange={setTab} keepMounted={false}>
              <Tabs.List>
                <Tabs.Tab value="latency">Latency</Tabs.Tab>
                <Tabs.Tab value="errors">Errors</Tabs.Tab>
                <Tabs.Tab value="uptime">Uptime</Tabs.Tab>
                <Tabs.Tab value="requests">Requests</Tabs.Tab>
                <Tabs.Tab value="money">Money</Tabs.Tab>
                <Tabs.Tab value="settings">Settings</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="latency" pt="md">
                <LatencyTab id={id} />
              </Tabs.Panel>
              <Tabs.Panel value="errors" pt="md">
                <ErrorsTab id={id} />
              </Tabs.Panel>
              <Tabs.Panel value="uptime" pt="md">
                <UptimeTab id={id} name={engine.name} />
              </Tabs.Panel>
              <Tabs.Panel value="requests" pt="md">
                <RequestsTab id={id} />
              </Tabs.Panel>
              <Tabs.Panel value="money" pt="md">
                <MoneyTab id={id} pricePerPage={engine.pricePerPage} />
              </Tabs.Panel>
              <Tabs.Panel value="settings" pt="md">
                <EngineSettings engine={engine} onChanged={answer.refetch} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Answer>
    </div>
  );
}

function DetailHead({ engine }: { readonly engine: DetailedEngineFragment }) {
  const { name, provider, obstacle, health, lastError, stateSince, demo } = engine;
  const nowMs = useNow(10_000);
  const state = engineState({ health: health.status, obstacle });
  const trouble = [health.detail, lastError].filter(Boolean).join(' · ');
  return (
    <Head title={name}>
      <StatusMark state={state} />
      {stateSince !== null && <span className="kit-soft">for {lasting(stateSince, nowMs)}</span>}
      <span className="kit-soft">
        {provider}
        {demo && ' · demo: its figures are invented'}
      </span>
      {trouble !== '' && state !== 'healthy' && <p className={classes['detailWords']}>{trouble}</p>}
    </Head>
  );
}

/** The page has its heading before the engine has come, and where it does not. */
function Head({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <header className={classes['detailHead']}>
      <Link href="/engines" aria-label="All engines" className={classes['back']}>
        <Icon name="back" />
      </Link>
      <h1 className={page['title']}>{title}</h1>
      {children}
    </header>
  );
}
