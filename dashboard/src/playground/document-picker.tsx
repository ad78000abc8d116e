import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Source } from './draft.ts';
import { DropZone } from './drop-zone.tsx';
import classes from './playground.module.css';
import { readFile } from './read-file.ts';

const SAMPLE = '/static/sample.png';

interface DocumentPickerProps {
  readonly source: Source | null;
  readonly onPick: (source: Source | null) => void;
}

/** A file, a URL, or the sample that comes with the dashboard. */
export function DocumentPicker({ source, onPick }: DocumentPickerProps) {
  const [way, setWay] = useState<'file' | 'url'>('file');
  const [mistake, setMistake] = useState<string | null>(null);
  const choices = useRef(0);
  const choose = (picked: Source | null): void => {
    choices.current += 1;
    setMistake(null);
    onPick(picked);
  };
  /** Reading takes a moment: whoever chooses something else meanwhile keeps that. */
  const take = async (file: File | Promise<File>): Promise<void> => {
    choices.current += 1;
    const own = choices.current;
    setMistake(null);
    try {
      const picked = await readFile(await file);
      if (own === choices.current) onPick(picked);
    } catch (error) {
      if (own === choices.current) setMistake((error as Error).message); // both throw sentences
    }
  };
  const takeSample = (): void => {
    setWay('file');
    void take(sampleFile());
  };
  return (
    <div className={classes['fields']}>
      <div className={classes['pickerHead']}>
        <SegmentedControl
          aria-label="Where the document is"
          data={[
            { value: 'file', label: 'File' },
            { value: 'url', label: 'URL' },
          ]}
          value={way}
          onChange={(value) => {
            setWay(value === 'url' ? 'url' : 'file');
            choose(null);
          }}
        />
        <Button variant="subtle" onClick={takeSample}>
          Use our sample
        </Button>
      </div>
      {way === 'file' ? (
        <DropZone source={source?.kind === 'file' ? source : null} onFile={(file) => void take(file)} />
      ) : (
        <TextInput
          label="URL of the document"
          type="url"
          placeholder="https://example.com/invoice.pdf"
          description="Public http or https. A PDF’s path ends in .pdf."
          onChange={(event) => choose(urlSource(event.currentTarget.value))}
        />
      )}
      {mistake && (
        <p role="alert" className={classes['mistake']}>
          {mistake}
        </p>
      )}
    </div>
  );
}

async function sampleFile(): Promise<File> {
  const response = await fetch(SAMPLE).catch(() => null);
  if (!response?.ok) throw new Error('The sample could not be loaded. Try again, or choose a file.');
  return new File([await response.blob()], 'sample.png', { type: 'image/png' });
}

function urlSource(text: string): Source | null {
  const url = text.trim();
  return /^https?:\/\/./.test(url) ? { kind: 'url', url } : null;
}
