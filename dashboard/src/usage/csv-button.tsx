import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { csvText } from '@ocr-router/ui/format/csv.ts';
import { saveFile } from '@ocr-router/ui/kit/save-file.ts';
import { useState } from 'react';
import { refusalText } from '../http/refusal.ts';
import type { Span } from './span.ts';
import { usageRows } from './usage-history.ts';

interface CsvButtonProps {
  readonly accountId: string;
  readonly span: Span;
}

/** Every request of the days as a file. */
export function CsvButton({ accountId, span }: CsvButtonProps) {
  const [progress, setProgress] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    setProgress('Reading…');
    try {
      const onProgress = (done: number, total: number) => setProgress(`${done} of ${total}`);
      const rows = await usageRows({ accountId, span, onProgress });
      saveFile(`usage-${span.from}-to-${span.to}.csv`, 'text/csv', csvText(rows));
    } catch (error) {
      notifications.show({ color: 'red', message: refusalText(error) });
    } finally {
      setProgress(null);
    }
  };
  return (
    <Button variant="default" disabled={progress !== null} onClick={() => void save()}>
      {progress ?? 'Download CSV'}
    </Button>
  );
}
