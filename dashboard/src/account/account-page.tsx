import { fullTime } from '@ocr-router/ui/format/time.ts';
import { MeDocument } from '../documents.generated.ts';
import { Answer } from '../graphql/answer.tsx';
import { useAnswer } from '../graphql/use-answer.ts';
import { Facts } from '../kit/facts.tsx';
import { Page } from '../kit/page.tsx';
import { Panel } from '../kit/panel.tsx';
import { HistorySwitch } from './history-switch.tsx';
import { SessionList } from './session-list.tsx';

/** Calls a minute and key of each tier. */
const RATES: Record<string, string> = {
  free: '60 calls a minute and key',
  pro: '300 calls a minute and key',
  scale: '1,200 calls a minute and key',
  unlimited: 'no limit',
};

/** The account itself: who it is, where it is signed in, and what it keeps. */
export default function AccountPage() {
  const [result, reload] = useAnswer({ query: MeDocument });
  return (
    <Page title="Account">
      <Answer result={result} what="The account" retry={reload}>
        {({ account }) => (
          <>
            <Panel title="You">
              <Facts
                rows={[
                  ['E-mail', account.email],
                  ['Tier', `${account.tier} (${RATES[account.tier] ?? 'its own limit'})`],
                  ['Since', fullTime(account.createdAt)],
                  ['Account id', <code key="id">{account.id}</code>],
                ]}
              />
            </Panel>
            <Panel title="Texts of your documents">
              <HistorySwitch isOn={account.history} onChanged={reload} />
            </Panel>
          </>
        )}
      </Answer>
      <SessionList />
    </Page>
  );
}
