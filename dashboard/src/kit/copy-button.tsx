import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { copyText } from './copy-text.ts';

interface CopyButtonProps extends Pick<ButtonProps, 'variant' | 'className' | 'size'> {
  readonly text: string;
  readonly verb?: string;
}

const SHOWN_MS = 2000;

/** Copies, and says whether it did. */
export function CopyButton({ text, verb = 'Copy', variant = 'default', ...rest }: CopyButtonProps) {
  const [word, setWord] = useState(verb);
  const copy = async (): Promise<void> => {
    setWord((await copyText(text)) ? 'Copied' : 'Select it and copy');
    setTimeout(() => setWord(verb), SHOWN_MS);
  };
  return (
    <Button variant={variant} onClick={() => void copy()} aria-live="polite" {...rest}>
      {word}
    </Button>
  );
}
