import { Button } from '@mantine/core';
import { plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { useState } from 'react';
import { useClient } from 'urql';
import {
  type DetailedRequestFragment,
  type PageOfRequestFragment,
  RequestPagesDocument,
} from '../../documents.generated.ts';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';

/** As many as the panel's own question and each further one ask for. */
const PART = 100;

/** What came of each page: by whom, how sure, how fast. Never what stands on it. */
export function PageList({ request }: { readonly request: DetailedRequestFragment }) {
  const client = useClient();
  const [further, setFurther] = useState<ReadonlyArray<readonly PageOfRequestFragment[]>>([]);
  const [asking, setAsking] = useState<'no' | 'yes' | 'failed'>('no');
  const parts = [request.pageResults, ...further];
  const pages = parts.flat();
  const last = pages.at(-1);
  if (last === undefined) return null;
  const mayHaveMore = parts.at(-1)?.length === PART;
  const more = async (): Promise<void> => {
    setAsking('yes');
    const { data, error } = await client
      .query(RequestPagesDocument, { id: request.id, after: last.number }, { requestPolicy: 'network-only' })
      .toPromise();
    setAsking(error ? 'failed' : 'no');
    if (data) setFurther([...further, data.request.pageResults]);
  };
  return (
    <Section title={mayHaveMore ? `First ${plural(pages.length, 'page')}` : plural(pages.length, 'page')}>
      {pages.map((page) => (
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
      {asking === 'failed' && <p className={panel['words']}>More pages could not be loaded.</p>}
      {mayHaveMore && (
        <Button variant="default" loading={asking === 'yes'} onClick={() => void more()}>
          Show more pages
        </Button>
      )}
    </Section>
  );
}

function stateOf({ state }: PageOfRequestFragment) {
  if (state === 'failed') return 'down';
  return state === 'skipped' ? 'degraded' : 'healthy';
}
