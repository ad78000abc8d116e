import { fullTime } from '@ocr-router/ui/format/time.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import { Link } from 'wouter';
import { RefusedCallDocument, type RefusedCallQuery } from '../../documents.generated.ts';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';
import { SidePanel } from '../kit/side-panel.tsx';

interface RefusedCallPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** A call that never became a request: why it was refused, and whose it was. */
export function RefusedCallPanel({ id, onClose }: RefusedCallPanelProps) {
  const answer = useQuery(RefusedCallDocument, { id });
  return (
    <SidePanel what="refused call" title={id} id={id} onClose={onClose}>
      <Answer subject="The refused call" answer={answer} loadingRows={4}>
        {({ refusedCall }) => <RefusedCall call={refusedCall} />}
      </Answer>
    </SidePanel>
  );
}

function RefusedCall({ call }: { readonly call: RefusedCallQuery['refusedCall'] }) {
  const { status, code, message, at, method, path, accountId, keyId, engine } = call;
  const account = accountId && (
    <Link href={`/accounts?account=${accountId}`} className="kit-link">
      {accountId}
    </Link>
  );
  const engineLink = engine && (
    <Link href={`/engines/${engine}`} className="kit-link">
      {engine}
    </Link>
  );
  return (
    <Section title={`Refused with ${status} ${code}`}>
      <p className={panel['trouble']}>{message}</p>
      <p className={panel['words']}>
        The call never became a request, and nothing was charged. Its record is kept for three days.
      </p>
      <Facts
        dense
        facts={[
          ['Answered', fullTime(at)],
          ['Call', `${method} ${path}`],
          ['Engine', engineLink],
          ['Account', account],
          ['Key', keyId],
        ]}
      />
    </Section>
  );
}
