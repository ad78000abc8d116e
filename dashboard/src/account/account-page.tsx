import { fullTime } from '@ocr-router/ui/format/time.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import { MeDocument } from '../documents.generated.ts';
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
  const answer = useQuery(MeDocument, {});
  return (
    <Page title="Account">
      <Answer answer={answer} subject="The account" spaced>
        {({ account }) => (
          <>
            <Panel title="You">
              <Facts
                facts={[
                  ['E-mail', account.email],
                  ['Tier', `${account.tier} (${RATES[account.tier] ?? 'its own limit'})`],
                  ['Since', fullTime(account.createdAt)],
                  ['Account id', <code key="id">{account.id}</code>],
                ]}
              />
            </Panel>
            <Panel title="Texts of your documents">
              <HistorySwitch isOn={account.history} onChanged={answer.refetch} />
            </Panel>
          </>
        )}
      </Answer>
      <SessionList />
    </Page>
  );
}
