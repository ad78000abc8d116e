import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useCopy } from '@ocr-router/ui/kit/use-copy.ts';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, as in `Copy the request id`. */
  readonly what: string;
  /** Shown as words instead of a sign. */
  readonly label?: string;
  readonly size?: 'xs' | 'compact-xs';
}

/** Puts a text on the clipboard, and says so for a moment. */
export function CopyButton({ text, what, label, size = 'compact-xs' }: CopyButtonProps) {
  const { ended, copy } = useCopy(text, copyText);
  const copied = ended === 'copied';
  if (label !== undefined) {
    return (
      <Button variant="default" size={size} onClick={copy}>
        {copied ? 'Copied' : label}
      </Button>
    );
  }
  const words = copied ? 'Copied' : `Copy the ${what}`;
  return (
    <Tooltip label={words}>
      <ActionIcon size={22} aria-label={words} onClick={copy} tabIndex={-1}>
        <Icon name={copied ? 'check' : 'copy'} sizePx={14} />
      </ActionIcon>
    </Tooltip>
  );
}
