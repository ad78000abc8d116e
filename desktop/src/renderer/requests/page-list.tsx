import { plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import type { DetailedRequestFragment } from '../../documents.generated.ts';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';

/** A panel is no place for thousands. */
const MOST_SHOWN = 100;

/** What came of each page: by whom, how sure, how fast. Never what stands on it. */
export function PageList({ request }: { readonly request: DetailedRequestFragment }) {
  const { pageResults: pages } = request;
  if (pages.length === 0) return null;
  const more = pages.length - MOST_SHOWN;
  return (
    <Section title={plural(pages.length, 'page')}>
      {pages.slice(0, MOST_SHOWN).map((page) => (
        <div key={page.number} className={panel['item']}>
          <div className={panel['itemHead']}>
            <strong>Page {page.number}</strong>
            <StatusMark state={stateOf(page)} word={page.code ?? page.state} />
            <span className={`${panel['itemEnd']} kit-soft`}>
              {page.source === 'text_layer' ? 'text in the file' : page.engine}
              {page.confidence !== null && `, confidence ${share(page.confidence)}`}
              {page.providerLatencyMs !== null && `, ${duration(page.providerLatencyMs)}`}
            </span>
          </div>
        </div>
      ))}
      {more > 0 && <p className={panel['words']}>And {plural(more, 'page')} more.</p>}
    </Section>
  );
}

type ResultPage = DetailedRequestFragment['pageResults'][number];

function stateOf({ state }: ResultPage) {
  if (state === 'failed') return 'down';
  return state === 'skipped' ? 'degraded' : 'healthy';
}
