import panel from '../panel/panel.module.css';
import type { DetailedRequest } from './request-panel.tsx';
import { Section } from '../panel/section.tsx';

/** The beginning of what was read, as text and nothing else; or why it is not to be seen. */
export function ResultPreview({ request }: { readonly request: DetailedRequest }) {
  const { extractedTextPreview: preview } = request;
  return (
    <Section title="Result">
      {preview ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <pre className={panel['text']} tabIndex={0} aria-label="Beginning of the text">
          {preview}
        </pre>
      ) : (
        <p className={panel['words']}>{whyNoText(request)}</p>
      )}
    </Section>
  );
}

function whyNoText({ status, textRetained, extractedTextPreview }: DetailedRequest): string {
  if (status === 'queued' || status === 'processing') return 'There is no result yet.';
  if (status === 'failed' || status === 'rejected') return 'There is no result.';
  if (!textRetained) return 'Not retained: the account does not keep texts.';
  if (extractedTextPreview === '') return 'The result is an empty text.';
  return 'Retained, and shown to the account alone.';
}
