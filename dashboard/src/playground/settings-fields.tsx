import { Autocomplete, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { PlaygroundQuery } from '../documents.generated.ts';
import type { Draft } from './draft.ts';
import { nameWithTrouble } from './engine-words.ts';
import classes from './playground.module.css';

const SCANNED = [
  { value: 'skip', label: 'Skip them' },
  { value: 'fallback', label: 'Read them with another engine' },
  { value: 'error', label: 'Refuse the document' },
];

interface SettingsFieldsProps {
  readonly data: PlaygroundQuery;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

/** How the document is read. What is left alone is as the service has it. */
export function SettingsFields({ data, draft, onChange }: SettingsFieldsProps) {
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  return (
    <div className={classes['fields']}>
      <PageFields draft={draft} set={set} />
      <Switch
        label="Look for tables"
        checked={draft.detectTables}
        onChange={(event) => set({ detectTables: event.currentTarget.checked })}
      />
      <Switch
        label="Find where words are on the page"
        checked={draft.positions}
        onChange={(event) => set({ positions: event.currentTarget.checked })}
      />
      <Switch
        label="If the engine fails, try a similar one"
        checked={draft.fallback}
        onChange={(event) => set({ fallback: event.currentTarget.checked })}
      />
      <Select
        label="Scanned pages of a PDF"
        description="Applies to engines that read a PDF’s own text"
        placeholder="the engine’s own way"
        data={SCANNED}
        value={draft.scannedHandling}
        onChange={(value) => set({ scannedHandling: value as Draft['scannedHandling'] })} // one of SCANNED, or null
        clearable
      />
      {draft.scannedHandling === 'fallback' && (
        <Select
          label="The other engine"
          data={data.engines
            .filter(({ status }) => status === 'available')
            .map((engine) => ({ value: engine.id, label: nameWithTrouble(engine) }))}
          value={draft.fallbackEngine}
          onChange={(fallbackEngine) => set({ fallbackEngine })}
        />
      )}
      <AsyncFields data={data} draft={draft} set={set} />
    </div>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}

function PageFields({ draft, set }: PartProps) {
  const number = (value: string | number) => (value === '' ? null : Number(value));
  return (
    <div className={classes['pair']}>
      <NumberInput
        label="Pages"
        placeholder="1"
        min={1}
        allowDecimal={false}
        value={draft.pageCount ?? ''}
        onChange={(value) => set({ pageCount: number(value) })}
      />
      <TextInput
        label="Page range"
        placeholder="1-3,5"
        value={draft.pageRange}
        onChange={(event) => set({ pageRange: event.currentTarget.value })}
      />
      <TextInput
        label="Language"
        placeholder="en"
        value={draft.language}
        onChange={(event) => set({ language: event.currentTarget.value })}
      />
      <NumberInput
        label="Resolution"
        placeholder="300 dpi"
        min={72}
        max={1200}
        allowDecimal={false}
        value={draft.dpi ?? ''}
        onChange={(value) => set({ dpi: number(value) })}
      />
    </div>
  );
}

function AsyncFields({ data, draft, set }: PartProps & Pick<SettingsFieldsProps, 'data'>) {
  return (
    <>
      <Switch
        label="In the background (async)"
        description={
          data.account.history
            ? 'This page follows it; a webhook can be called, too.'
            : 'Not possible while your account keeps no texts.'
        }
        disabled={!data.account.history}
        checked={draft.isAsync}
        onChange={(event) => set({ isAsync: event.currentTarget.checked })}
      />
      {draft.isAsync && (
        <Autocomplete
          size="xs"
          label="Webhook URL"
          placeholder="none"
          data={[...new Set(data.webhooks.map(({ url }) => url))]}
          value={draft.webhookUrl}
          onChange={(webhookUrl) => set({ webhookUrl })}
        />
      )}
    </>
  );
}
