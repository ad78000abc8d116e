import type { DetailedRequestFragment } from '../../documents.generated.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Section } from '../kit/section.tsx';
import { TextBlock } from '../kit/text-block.tsx';

/** Everything that the gateway answered, as JSON; without the text of the document, which would go along unseen. */
export function RawSection({ request }: { readonly request: DetailedRequestFragment }) {
  const { extractedTextPreview: _, ...rest } = request;
  const raw = JSON.stringify(rest, null, 2);
  return (
    <Section title="Raw" controls={<CopyButton text={raw} what="JSON" label="Copy JSON" />}>
      <details>
        <summary className="kit-soft">Show</summary>
        <TextBlock label="The request as JSON">{raw}</TextBlock>
      </details>
    </Section>
  );
}
