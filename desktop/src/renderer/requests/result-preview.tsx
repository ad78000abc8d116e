import type { DetailedRequestFragment } from '../../documents.generated.ts';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';
import { TextBlock } from '../kit/text-block.tsx';

/** The beginning of what was read, as text and nothing else; or why it is not to be seen. */
export function ResultPreview({ request }: { readonly request: DetailedRequestFragment }) {
  const { extractedTextPreview: preview } = request;
  return (
    <Section title="Result">
      {preview ? (
        <TextBlock label="Beginning of the text">{preview}</TextBlock>
      ) : (
        <p className={panel['words']}>{whyNoText(request)}</p>
      )}
    </Section>
  );
}

function whyNoText({ status, textRetained, extractedTextPreview }: DetailedRequestFragment): string {
  if (status === 'queued' || status === 'processing') return 'There is no result yet.';
  if (status === 'failed' || status === 'rejected') return 'There is no result.';
  if (!textRetained) return 'Not retained: the account does not keep texts.';
  if (extractedTextPreview === '') return 'The result is an empty text.';
  return 'Retained, and shown to the account alone.';
}
