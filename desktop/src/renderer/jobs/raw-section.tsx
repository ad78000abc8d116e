import { CopyButton } from '../panel/copy-button.tsx';
import panel from '../panel/panel.module.css';
import type { DetailedRequest } from './request-panel.tsx';
import { Section } from '../panel/section.tsx';

/** Everything that the gateway answered, as JSON; without the text of the document, which would go along unseen. */
export function RawSection({ request }: { readonly request: DetailedRequest }) {
  const { extractedTextPreview: _, ...rest } = request;
  const raw = JSON.stringify(rest, null, 2);
  return (
    <Section title="Raw" controls={<CopyButton text={raw} what="JSON" label="Copy JSON" />}>
      <details>
        <summary className="kit-soft">Show</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
        <pre className={panel['text']} tabIndex={0} aria-label="The request as JSON">
          {raw}
        </pre>
      </details>
    </Section>
  );
}
