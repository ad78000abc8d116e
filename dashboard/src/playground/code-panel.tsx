import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { apiAddress } from '../http/addresses.ts';
import { CodeBlock } from '../kit/code-block.tsx';
import { Panel } from '../kit/panel.tsx';
import { codeSample, LANGUAGES, type Language } from './code-samples.ts';
import type { Draft, Source } from './draft.ts';
import { requestBody } from './request-body.ts';

const STAND_IN: Source = { kind: 'url', url: 'https://example.com/document.png' };

/** The request of the form as a program makes it. */
export function CodePanel({ draft }: { readonly draft: Draft }) {
  const [language, setLanguage] = useState<Language>('curl');
  if (draft.engine === null) return null;
  const source = draft.source ?? STAND_IN;
  const text = codeSample(language, {
    api: apiAddress(),
    body: requestBody(draft, draft.engine, source),
    fileName: source.kind === 'file' ? source.name : null,
  });
  const languages = (
    <SegmentedControl
      aria-label="Language"
      data={[...LANGUAGES]}
      value={language}
      onChange={(value) => setLanguage(value as Language)} // one of LANGUAGES
    />
  );
  return (
    <Panel title="The same with a program" actions={languages}>
      <CodeBlock label={`The request in ${language}`} text={text} />
    </Panel>
  );
}
