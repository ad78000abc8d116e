import { Tabs } from '@mantine/core';
import { useLocation, useSearch } from 'wouter';
import page from '../kit/page.module.css';
import { withoutOwnTime } from '../navigation/time-range.ts';
import { AccountList } from './account-list.tsx';
import classes from './accounts.module.css';
import { AuditTab } from './audit-tab.tsx';
import { CostsTab } from './costs-tab.tsx';

/** Who pays, with which keys; what providers have not billed yet; what operators did. */
export default function AccountsPage() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const tab = new URLSearchParams(search).get('tab') ?? 'accounts';
  // A time of its own is of the tab that it was chosen on.
  const setTab = (next: string | null): void => {
    const parameters = withoutOwnTime(search);
    if (next !== null) parameters.set('tab', next);
    navigate(`${path}?${parameters}`, { replace: true });
  };
  return (
    <Tabs className={page['page']} value={tab} onChange={setTab} keepMounted={false}>
      <header className={classes['head']}>
        <h1 className={page['title']}>Accounts</h1>
        <Tabs.List>
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="costs">Pending costs</Tabs.Tab>
          <Tabs.Tab value="audit">Audit log</Tabs.Tab>
        </Tabs.List>
      </header>
      <Tabs.Panel className={classes['tab']} value="accounts">
        <AccountList />
      </Tabs.Panel>
      <Tabs.Panel className={classes['tab']} value="costs">
        <CostsTab />
      </Tabs.Panel>
      <Tabs.Panel className={classes['tab']} value="audit">
        <AuditTab />
      </Tabs.Panel>
    </Tabs>
  );
}
