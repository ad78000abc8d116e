import { count, plural } from '@ocr-router/ui/format/count.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { Link } from 'wouter';
import { EngineErrorsDocument, type EngineErrorsQuery } from '../../documents.generated.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import { endingWords } from './ending-words.ts';
import classes from './engines.module.css';

type Errors = EngineErrorsQuery['engineErrors'];

const POLL_MS = 30_000;

/** Why runs on the engine ended badly in the time range: each ending, how often, and the latest of it. */
export function ErrorsTab({ id }: { readonly id: string }) {
  const [range] = useTimeRange();
  const answer = useQuery(EngineErrorsDocument, { id, hours: range.hours });
  usePolling(answer.refetch, POLL_MS);
  return (
    <Answer subject="The errors" answer={answer} loadingRows={6}>
      {({ engine, engineErrors }) => (
        <>
          <RefusedCalls calls={engine.window.unavailable} words={range.words} />
          <Endings errors={engineErrors} words={range.words} />
        </>
      )}
    </Answer>
  );
}

/** Beside its runs: a call that was refused never became one. */
function RefusedCalls({ calls, words }: { readonly calls: number; readonly words: string }) {
  if (calls === 0) return null;
  return (
    <p className={classes['refused']}>
      {plural(calls, 'call')} {words} {calls === 1 ? 'was' : 'were'} refused because it took no requests. Refused calls
      are not runs, and do not count towards its error rate.
    </p>
  );
}

function Endings({ errors, words }: { readonly errors: Errors; readonly words: string }) {
  const { endings, runs, isCut } = errors;
  if (endings.length === 0) {
    return (
      <section className="kit-panel" aria-label="Errors">
        <Empty title={runs === 0 ? `No runs ${words}` : `All ${plural(runs, 'run')} ${words} ended well`} />
      </section>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={`kit-panel ${classes['endings']}`} tabIndex={0} aria-label="Errors">
      <p className={`${classes['endingsHead']} kit-soft`}>
        Of {plural(runs, 'run')} {words}
        {isCut && ', the newest 20,000 of them'}. Errors of the engine count towards its error rate; the others do not.
      </p>
      <table className={classes['endingsTable']}>
        <thead>
          <tr>
            <th scope="col">How it ended</th>
            <th scope="col" data-align="right">
              Runs
            </th>
            <th scope="col" data-align="right">
              Share
            </th>
            <th scope="col">Last message</th>
            <th scope="col">Latest</th>
          </tr>
        </thead>
        <tbody>
          {endings.map((ending) => (
            <Ending key={`${ending.outcome} ${ending.providerFault}`} ending={ending} runs={runs} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Ending({ ending, runs }: { readonly ending: Errors['endings'][number]; readonly runs: number }) {
  const { outcome, providerFault, isEngineError, lastMessage, lastAt, lastRequestId } = ending;
  return (
    <tr>
      <th scope="row">
        <StatusMark state={isEngineError ? 'down' : 'degraded'} word={endingWords(outcome, providerFault)} />
      </th>
      <td data-align="right">{count(ending.runs)}</td>
      <td data-align="right">{share(ending.runs / runs)}</td>
      <td className={classes['endingMessage']}>{lastMessage ?? '–'}</td>
      <td>
        <Link className="kit-link" href={`/requests?request=${lastRequestId}&time=any`}>
          {shortTime(lastAt)}
        </Link>
      </td>
    </tr>
  );
}
