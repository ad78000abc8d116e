import { Badge, Button, Table } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { age } from '@ocr-router/ui/format/age.ts';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useMutation } from 'urql';
import { RevokeSessionDocument, SessionsDocument, type SessionsQuery } from '../documents.generated.ts';
import { refusalText } from '../http/refusal.ts';
import { Panel } from '../kit/panel.tsx';
import { WideTable } from '../kit/wide-table.tsx';
import { useSession } from '../session/session.ts';
import { browserName } from './browser-name.ts';

/** Where the account is signed in. */
export function SessionList() {
  const answer = useQuery(SessionsDocument, {});
  const { signOutEverywhere } = useSession();
  const leave = () =>
    signOutEverywhere().catch((error: unknown) => notifications.show({ color: 'red', message: refusalText(error) }));
  const all = (
    <Button variant="light" color="red" onClick={() => void leave()}>
      Sign out everywhere
    </Button>
  );
  return (
    <Panel title="Where you are signed in" actions={all} flush>
      <Answer answer={answer} subject="The sessions" spaced>
        {({ sessions }) => (
          <WideTable label="Sessions" minWidthPx={620}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Browser</Table.Th>
                <Table.Th>Signed in</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>Ends</Table.Th>
                <Table.Th>
                  <span className="kit-visually-hidden">Actions</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} onEnded={answer.refetch} />
              ))}
            </Table.Tbody>
          </WideTable>
        )}
      </Answer>
    </Panel>
  );
}

interface SessionRowProps {
  readonly session: SessionsQuery['sessions'][number];
  readonly onEnded: () => void;
}

function SessionRow({ session, onEnded }: SessionRowProps) {
  const [{ fetching }, revoke] = useMutation(RevokeSessionDocument);
  const end = async (): Promise<void> => {
    const { error } = await revoke({ id: session.id });
    if (error) notifications.show({ color: 'red', message: failureText(error) });
    onEnded();
  };
  const name = browserName(session.userAgent);
  return (
    <Table.Tr>
      <Table.Td title={session.userAgent ?? undefined}>
        {name}{' '}
        {session.current && (
          // Or a narrow cell would be as wide as its name alone, and the badge lie over the next one.
          <Badge variant="light" miw="max-content">
            this one
          </Badge>
        )}
      </Table.Td>
      <Table.Td title={fullTime(session.createdAt)}>{age(session.createdAt)}</Table.Td>
      <Table.Td>{session.current ? 'now' : age(session.lastUsedAt)}</Table.Td>
      <Table.Td>{fullTime(session.expiresAt)}</Table.Td>
      <Table.Td ta="right">
        {!session.current && (
          <Button variant="default" size="compact-xs" loading={fetching} onClick={() => void end()}>
            End
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
