import { Button, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { plural } from '@ocr-router/ui/format/count.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useState } from 'react';
import { type KeyRowFragment, KeysDocument } from '../documents.generated.ts';
import { Page } from '../kit/page.tsx';
import pageHeads from '../kit/page-heads.json';
import { Panel } from '../kit/panel.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import { RotationNote } from './rotation-note.tsx';

/** The account's keys: made, named, revoked, and what each has cost of late. */
export default function KeysPage() {
  const answer = useQuery(KeysDocument, {});
  const [isMaking, { open, close }] = useDisclosure(false);
  return (
    <Page {...pageHeads['/keys']} actions={<Button onClick={open}>New key</Button>}>
      <Answer answer={answer} subject="The keys" spaced>
        {({ account }) => <KeyLists keys={account.keys} onMake={open} onChanged={answer.refetch} />}
      </Answer>
      <RotationNote />
      <NewKey opened={isMaking} onClose={close} onMade={answer.refetch} />
    </Page>
  );
}

interface KeyListsProps {
  readonly keys: readonly KeyRowFragment[];
  readonly onMake: () => void;
  readonly onChanged: () => void;
}

function KeyLists({ keys, onMake, onChanged }: KeyListsProps) {
  const [withRevoked, setWithRevoked] = useState(false);
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null).length;
  const shown = withRevoked ? keys : keys.filter(({ revokedAt }) => revokedAt === null);
  const toggle = (
    <Switch
      label={`Show revoked (${revoked})`}
      checked={withRevoked}
      onChange={(event) => setWithRevoked(event.currentTarget.checked)}
    />
  );
  const title = plural(shown.length, 'key');
  return (
    <Panel title={title} actions={revoked > 0 && toggle} flush>
      <ResultNews asked={String(withRevoked)} found={title} />
      {shown.length === 0 ? (
        <Empty title="No keys yet" action={<Button onClick={onMake}>Create your first key</Button>}>
          With a key, your programs can send documents and read results.
        </Empty>
      ) : (
        <KeyTable keys={shown} onChanged={onChanged} />
      )}
    </Panel>
  );
}
