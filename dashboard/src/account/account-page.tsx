import { fullTime } from '@ocr-router/ui/format/time.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import { MeDocument } from '../documents.generated.ts';
import { Page } from '../kit/page.tsx';
import pageHeads from '../kit/page-heads.json';
import { Panel } from '../kit/panel.tsx';
import { DeleteTexts } from './delete-texts.tsx';
import { ExportLink } from './export-link.tsx';
import { HistorySwitch } from './history-switch.tsx';
import { Retention } from './retention.tsx';
import { SessionList } from './session-list.tsx';
import { tierWords } from './tier-words.ts';

/** The account itself: who it is, where it is signed in, and what it keeps. */
export default function AccountPage() {
  const answer = useQuery(MeDocument, {});
  return (
    <Page {...pageHeads['/account']}>
      <Answer answer={answer} subject="The account" spaced>
        {({ account }) => (
          <>
            <Panel title="You">
              <Facts
                facts={[
                  ['E-mail', account.email],
                  ['Tier', tierWords(account.tier)],
                  ['Since', fullTime(account.createdAt)],
                  ['Account id', <code key="id">{account.id}</code>],
                ]}
              />
            </Panel>
            <Panel
              title="Texts of your documents"
              actions={account.history && <DeleteTexts onDeleted={answer.refetch} />}
            >
              <HistorySwitch isOn={account.history} onChanged={answer.refetch} />
              {account.history && (
                <Retention key={account.textDays} textDays={account.textDays} onChanged={answer.refetch} />
              )}
            </Panel>
            <Panel title="Your data" actions={<ExportLink />}>
              A <code>tar.gz</code> of NDJSON files: account, keys without their secrets, requests with their texts, the
              ledger, webhooks and deliveries. <code>manifest.json</code> comes last and says that it is complete. One
              export at a time; a program gets the same from <code>GET /api/export</code>.
            </Panel>
          </>
        )}
      </Answer>
      <SessionList />
    </Page>
  );
}
