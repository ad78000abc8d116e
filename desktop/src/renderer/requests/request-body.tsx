import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import { understoodBody } from '@ocr-router/ui/requests/understood-body.ts';
import type { DetailedRequestFragment } from '../../documents.generated.ts';
import { useProfiles } from '../bridge/profiles.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';
import { TextBlock } from '../kit/text-block.tsx';
import { asCurl } from './as-curl.ts';

/** The request as it was understood, without its document, and as a command that sends it again. */
export function RequestBody({ request }: { readonly request: DetailedRequestFragment }) {
  const { selected } = useProfiles();
  const curl = asCurl(selected?.url ?? 'http://127.0.0.1:8080', request);
  return (
    <Section title="Request" controls={<CopyButton text={curl} what="command" label="Copy as curl" />}>
      <Facts
        dense
        facts={[
          [
            'Idempotency key',
            request.idempotencyKey && <span className={panel['mono']}>{request.idempotencyKey}</span>,
          ],
          ['Applied', request.appliedSettings && appliedWords(request.appliedSettings)],
        ]}
      />
      <TextBlock label="The request’s body">{JSON.stringify(understoodBody(request), null, 2)}</TextBlock>
    </Section>
  );
}

function appliedWords(applied: NonNullable<DetailedRequestFragment['appliedSettings']>): string {
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
