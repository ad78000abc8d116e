import { TextInput } from '@mantine/core';
import { pastedId } from '@ocr-router/ui/requests/pasted-id.ts';
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import classes from './requests.module.css';

interface FindRequestProps {
  readonly onFound: (id: string) => void;
  /** The id of a call that was refused before there was a request of it. */
  readonly onCallFound: (id: string) => void;
}

/** Opens a request, or a refused call, by its id: pasted, alone or within a log line, or typed. */
export function FindRequest({ onFound, onCallFound }: FindRequestProps) {
  const [text, setText] = useState('');
  const [failed, setFailed] = useState(false);
  const open = (from: string): boolean => {
    const found = pastedId(from);
    setFailed(found === null);
    if (found === null) return false;
    setText('');
    if (found.kind === 'request') onFound(found.id);
    else onCallFound(found.id);
    return true;
  };
  const paste = (event: ClipboardEvent): void => {
    if (open(event.clipboardData.getData('text'))) event.preventDefault();
    else setFailed(false);
  };
  const enter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open(text);
  };
  return (
    <TextInput
      className={classes['find']}
      classNames={{ wrapper: classes['findField'] ?? '', error: classes['findError'] ?? '' }}
      aria-label="Open a request by its id"
      placeholder="Paste a request id"
      data-search
      value={text}
      error={failed ? 'No id (ocr_… or req_…) in this.' : undefined}
      onChange={(event) => {
        setText(event.currentTarget.value);
        setFailed(false);
      }}
      onPaste={paste}
      onKeyDown={enter}
    />
  );
}
