import { Button, SegmentedControl } from '@mantine/core';
import { share } from '@ocr-router/ui/format/percent.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useState } from 'react';
import { type RequestQuery, RequestTextDocument } from '../documents.generated.ts';
import type { FileFormat } from '../downloads/download.ts';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { Panel } from '../kit/panel.tsx';
import { RenderedText } from '../markdown/rendered-text.tsx';
import { previewWords } from './preview-words.ts';
import classes from './requests.module.css';
import { TextOnPages } from './text-on-pages.tsx';

type View = 'whole' | 'rendered' | 'pages' | 'places';
type Shown = RequestQuery['request'];

/** What was read, when it was kept; and plainly that it was not, when not. */
export function RequestText({ request }: { readonly request: Shown }) {
  const [view, setView] = useState<View>('whole');
  const [document, setDocument] = useState<Blob | null>(null);
  if (!request.finishedAt) return null;
  if (!request.textRetained) {
    return (
      <Panel title="Text">
        <Empty title="Not retained">
          The account kept no text of this request when it ended, or has deleted it since. What happened and what it
          cost is kept.
        </Empty>
      </Panel>
    );
  }
  const made = request.outputs.filter(({ available }) => available).map(({ format }) => format);
  const isPlaced = made.includes('hocr');
  // The PDF takes the document, which is asked for.
  const formats: FileFormat[] = isPlaced ? [...made, 'pdf'] : made;
  const views = (
    <SegmentedControl
      aria-label="View"
      data={[
        { value: 'whole', label: 'Whole' },
        { value: 'rendered', label: 'Rendered' },
        { value: 'pages', label: 'By page' },
        ...(isPlaced ? [{ value: 'places', label: 'On the page' }] : []),
      ]}
      value={view}
      onChange={(value) => setView(value as View)} // one of those above
    />
  );
  const actions = (
    <>
      {formats.length > 0 && <DownloadMenu id={request.id} formats={formats} document={document} />}
      {request.pageResults.length > 0 && views}
    </>
  );
  return (
    <Panel title="Text" actions={actions}>
      {view === 'whole' && <WholeText id={request.id} />}
      {view === 'rendered' && <Rendered id={request.id} />}
      {view === 'pages' && <Pages pages={request.pageResults} />}
      {view === 'places' && <TextOnPages id={request.id} document={document} onDocument={setDocument} />}
    </Panel>
  );
}

function WholeText({ id }: { readonly id: string }) {
  const answer = useQuery(RequestTextDocument, { id });
  const [asWritten, setAsWritten] = useState(true);
  return (
    <Answer answer={answer} subject="The text" spaced>
      {({ request }) => {
        const whole = request.extractedText;
        const text = (asWritten ? whole : request.extractedTextPlain) ?? whole ?? request.extractedTextPreview;
        if (text === null) return <NothingRead />;
        return (
          <>
            <div className={classes['pageHead']}>
              {whole === null && <span>{previewWords(text)}</span>}
              {request.extractedTextPlain !== null && (
                <Button variant="default" size="compact-xs" onClick={() => setAsWritten(!asWritten)}>
                  {asWritten ? 'Show as plain text' : 'Show as the engine wrote it'}
                </Button>
              )}
              <CopyButton text={text} size="compact-xs" />
            </div>
            <TextBox label="The text" text={text} />
          </>
        );
      }}
    </Answer>
  );
}

function NothingRead() {
  return <p className="kit-soft">Nothing was read.</p>;
}

function Rendered({ id }: { readonly id: string }) {
  const answer = useQuery(RequestTextDocument, { id });
  return (
    <Answer answer={answer} subject="The text" spaced>
      {({ request }) => {
        const text = request.extractedText ?? request.extractedTextPreview;
        if (text === null) return <NothingRead />;
        return <RenderedText label="The text as it is meant to be read" text={text} />;
      }}
    </Answer>
  );
}

function Pages({ pages }: { readonly pages: Shown['pageResults'] }) {
  return pages.map((page) => (
    <div key={page.number} className={classes['pageText']}>
      <div className={classes['pageHead']}>
        <strong>Page {page.number}</strong>
        <span>{page.state}</span>
        <span>{page.source === 'text_layer' ? 'from the text in the file' : `by ${page.engine}`}</span>
        {page.confidence !== null && <span>confidence {share(page.confidence)}</span>}
        {page.message && <span>{page.message}</span>}
      </div>
      {page.text && <TextBox label={`Text of page ${page.number}`} text={page.text} />}
    </div>
  ));
}

function TextBox({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={`${classes['text']} kit-any-direction`} tabIndex={0} aria-label={label}>
      {text}
    </section>
  );
}
