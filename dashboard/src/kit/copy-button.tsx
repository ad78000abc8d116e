import { Button, type ButtonProps } from '@mantine/core';
import { useCopy } from '@ocr-router/ui/kit/use-copy.ts';
import { copyText } from './copy-text.ts';

interface CopyButtonProps extends Pick<ButtonProps, 'variant' | 'className' | 'size'> {
  readonly text: string;
  readonly verb?: string;
}

const WORDS = { copied: 'Copied', failed: 'Select it and copy' };

/** Copies, and says whether it did. */
export function CopyButton({ text, verb = 'Copy', variant = 'default', ...rest }: CopyButtonProps) {
  const { ended, copy } = useCopy(text, copyText);
  return (
    <Button variant={variant} onClick={copy} aria-live="polite" {...rest}>
      {ended === null ? verb : WORDS[ended]}
    </Button>
  );
}
