import { TextInput } from '@mantine/core';
import { pastedId } from '@ocr-router/ui/requests/pasted-id.ts';
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import classes from './requests.module.css';

interface FindRequestProps {
  readonly onFound: (id: string) => void;
  /** The id of a call that was refused before there was a request of it. */
  readonly onCallFound: (id: string) => void;
  /** Any other text; answers why nothing can be found by it, null when it narrows the list now. */
  readonly onSearch: (text: string) => Promise<string | null>;
}

/**
 * Opens a request, or a refused call, by its id: pasted, alone or within a log line, or typed. Another text narrows the list:
 * an engine, an error's code, a status, an account, a key, or else what stands in an error or begins an idempotency key.
 */
export function FindRequest({ onFound, onCallFound, onSearch }: FindRequestProps) {
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const open = (from: string): boolean => {
    const found = pastedId(from);
    if (found === null) return false;
    setText('');
    if (found.kind === 'request') onFound(found.id);
    else onCallFound(found.id);
    return true;
  };
  const search = async (): Promise<void> => {
    const reason = await onSearch(text);
    setFailure(reason);
    if (reason === null) setText('');
  };
  const paste = (event: ClipboardEvent): void => {
    setFailure(null);
    if (open(event.clipboardData.getData('text'))) event.preventDefault();
  };
  const enter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !open(text)) void search();
  };
  return (
    <TextInput
      className={classes['find']}
      classNames={{ wrapper: classes['findField'] ?? '', error: classes['findError'] ?? '' }}
      aria-label="Find requests"
      placeholder="Id, engine, error, account, key"
      data-search
      value={text}
      error={failure}
      onChange={(event) => {
        setText(event.currentTarget.value);
        setFailure(null);
      }}
      onPaste={paste}
      onKeyDown={enter}
    />
  );
}
