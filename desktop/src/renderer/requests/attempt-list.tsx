import { plural } from '@ocr-router/ui/format/count.ts';
import { ENGINE_TIME, engineTimeText } from '@ocr-router/ui/requests/engine-time.ts';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import type { DetailedRequestFragment, RequestDetailQuery } from '../../documents.generated.ts';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';
import { billingWords } from './billing-words.ts';
import { noAttemptWords } from './no-attempt-words.ts';

interface AttemptListProps {
  readonly request: DetailedRequestFragment;
  readonly engines: RequestDetailQuery['engines'];
}

/** Each run on an engine: how it ended, how long it took, what the provider bills for it. */
export function AttemptList({ request, engines }: AttemptListProps) {
  const { attempts } = request;
  return (
    <Section title={attempts.length > 1 ? `Attempts (${attempts.length})` : 'Attempt'}>
      {attempts.length === 0 && <p className={panel['words']}>{noAttemptWords(request)}</p>}
      {attempts.map((attempt) => (
        <div key={attempt.id} className={panel['item']}>
          <div className={panel['itemHead']}>
            <strong>{attempt.engine}</strong>
            {attempt.outcome ? (
              <StatusMark state={stateOf(attempt.outcome)} word={attempt.outcome} />
            ) : (
              <RequestStatus status="processing" />
            )}
            <span className={`${panel['itemEnd']} kit-soft`}>
              {attempt.pages != null && `${plural(attempt.pages, 'page')}, `}
              <span title={ENGINE_TIME.hint}>{engineTimeText(attempt)}</span>
            </span>
          </div>
          {attempt.message && <p className={panel['words']}>{attempt.message}</p>}
          <div className="kit-soft">
            {billingWords({ ...attempt, provider: engines.find(({ id }) => id === attempt.engine)?.provider })}
            {attempt.modelVersion && ` · ${attempt.modelVersion}`}
          </div>
          {attempt.providerRequestId && (
            <div className={`${panel['mono']} kit-soft`}>provider id {attempt.providerRequestId}</div>
          )}
        </div>
      ))}
    </Section>
  );
}

function stateOf(outcome: string) {
  return outcome === 'ok' ? 'healthy' : outcome === 'truncated' ? 'degraded' : 'down';
}
