import { Button } from '@mantine/core';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { failureCode } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Link } from 'wouter';
import { RefusedCallDocument, type RefusedCallQuery } from '../documents.generated.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Page } from '../kit/page.tsx';
import { Panel } from '../kit/panel.tsx';

/** A call of the account that was refused before there was a request of it, by the id that its answer had. */
export function RefusedCallPage({ id }: { readonly id: string }) {
  const answer = useQuery(RefusedCallDocument, { id });
  const isMissing = answer.failure !== undefined && failureCode(answer.failure) === 'not_found';
  const actions = (
    <>
      <CopyButton text={id} verb="Copy the id" />
      <Button component={Link} href="/requests" variant="default">
        All requests
      </Button>
    </>
  );
  return (
    <Page title={`Refused call ${id}`} actions={actions}>
      {isMissing ? (
        <Empty title="No call of your account was refused under this id">
          Refused calls are kept for three days. A call without a valid key belongs to no account.
        </Empty>
      ) : (
        <Answer answer={answer} subject="The refused call" loadingRows={4} spaced>
          {({ refusedCall: call, account: { keys } }) => (
            <Panel title={`Refused with ${call.status} ${call.code}`}>
              <p>{call.message}</p>
              <Facts
                facts={[
                  ['Answered', fullTime(call.at)],
                  ['Call', `${call.method} ${call.path}`],
                  ['Engine', call.engine],
                  ['Sent with', callerText(call.keyId, keys)],
                  ['Charged', 'nothing: the call never became a request'],
                ]}
              />
            </Panel>
          )}
        </Answer>
      )}
    </Page>
  );
}

/** The key as the page Keys shows it: its id stands nowhere there. */
function callerText(keyId: string | null, keys: RefusedCallQuery['account']['keys']): string | null {
  if (keyId?.startsWith('login:')) return 'the dashboard';
  const key = keys.find(({ id }) => id === keyId);
  return key ? (key.label ?? `${key.prefix}…`) : keyId;
}
