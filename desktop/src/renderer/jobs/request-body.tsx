import { useProfiles } from '../bridge/profiles.tsx';
import { CopyButton } from '../panel/copy-button.tsx';
import panel from '../panel/panel.module.css';
import { Facts, Section } from '../panel/section.tsx';
import { TextBlock } from '../panel/text-block.tsx';
import { asCurl, requestBody } from './as-curl.ts';
import type { DetailedRequest } from './request-panel.tsx';

/** The request as it was understood, without its document, and as a command that sends it again. */
export function RequestBody({ request }: { readonly request: DetailedRequest }) {
  const { selected } = useProfiles();
  const curl = asCurl(selected?.url ?? 'http://127.0.0.1:8080', request);
  return (
    <Section title="Request" controls={<CopyButton text={curl} what="command" label="Copy as curl" />}>
      <Facts
        facts={[
          [
            'Idempotency key',
            request.idempotencyKey && <span className={panel['mono']}>{request.idempotencyKey}</span>,
          ],
          ['Applied', request.appliedSettings && appliedWords(request.appliedSettings)],
        ]}
      />
      <TextBlock label="The request’s body">{JSON.stringify(requestBody(request), null, 2)}</TextBlock>
    </Section>
  );
}

function appliedWords(applied: NonNullable<DetailedRequest['appliedSettings']>): string {
  const { native, languageNative, language, dpi, pageRange, detectTables } = applied;
  const parts = [
    language && `language ${language}${languageNative ? ` (${[languageNative].flat().join(', ')})` : ''}`,
    dpi && `${dpi} dpi`,
    pageRange && `pages ${pageRange}`,
    detectTables && 'tables detected',
    native && Object.keys(native).length > 0 && `native ${Object.keys(native).join(', ')}`,
  ];
  return parts.filter(Boolean).join(', ');
}
