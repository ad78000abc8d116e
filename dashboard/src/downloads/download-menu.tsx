import { Button, Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { refusalText } from '../http/refusal.ts';
import { useSessionToken } from '../session/use-session-token.ts';
import { download, type FileFormat } from './download.ts';

const LABELS: Readonly<Record<FileFormat, string>> = {
  text: 'Plain text',
  markdown: 'Markdown',
  csv: 'Tables (CSV)',
  hocr: 'hOCR',
  alto: 'ALTO',
  pdf: 'Searchable PDF',
};

interface DownloadMenuProps {
  readonly id: string;
  /** Those that can be made; the document may have to be sent for a PDF. */
  readonly formats: readonly FileFormat[];
  /** The document, where it is at hand; else it is asked for. */
  readonly document: Blob | null;
}

/** A result as files. They are made by the API, and nothing of them is kept. */
export function DownloadMenu({ id, formats, document }: DownloadMenuProps) {
  const tokenOf = useSessionToken();
  const [isBusy, setBusy] = useState(false);
  const [mistake, setMistake] = useState<string | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const fetchFile = async (format: FileFormat, sent: Blob | null): Promise<void> => {
    setBusy(true);
    setMistake(null);
    try {
      await download({ id, format, document: sent }, await tokenOf());
    } catch (error) {
      setMistake(refusalText(error));
    } finally {
      setBusy(false);
    }
  };
  const choose = (format: FileFormat): void => {
    if (format !== 'pdf') void fetchFile(format, null);
    else if (document) void fetchFile(format, document);
    else chooser.current?.click();
  };
  return (
    <>
      <input
        ref={chooser}
        type="file"
        aria-label="The document of the request"
        className="kit-visually-hidden"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) void fetchFile('pdf', file);
          event.currentTarget.value = '';
        }}
      />
      {mistake && (
        <span role="alert" className="kit-soft">
          {mistake}
        </span>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="compact-sm" loading={isBusy}>
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {formats.map((format) => (
            <Menu.Item key={format} onClick={() => choose(format)}>
              {format === 'pdf' && !document ? 'Searchable PDF: choose the document' : LABELS[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
