import { CopyButton } from '../panel/copy-button.tsx';
import { Section } from '../panel/section.tsx';
import { TextBlock } from '../panel/text-block.tsx';
import type { DetailedRequest } from './request-panel.tsx';

/** Everything that the gateway answered, as JSON; without the text of the document, which would go along unseen. */
export function RawSection({ request }: { readonly request: DetailedRequest }) {
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
