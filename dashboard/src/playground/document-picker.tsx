import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
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
  const take = async (file: File): Promise<void> => {
    setMistake(null);
    try {
      onPick(await readFile(file));
    } catch (error) {
      setMistake((error as Error).message); // readFile throws sentences
    }
  };
  const takeSample = async (): Promise<void> => {
    const picture = await fetch(SAMPLE).then((response) => response.blob());
    setWay('file');
    await take(new File([picture], 'sample.png', { type: 'image/png' }));
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
            onPick(null);
          }}
        />
        <Button variant="subtle" onClick={() => void takeSample()}>
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
          onChange={(event) => onPick(urlSource(event.currentTarget.value))}
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

function urlSource(text: string): Source | null {
  const url = text.trim();
  return /^https?:\/\/./.test(url) ? { kind: 'url', url } : null;
}
