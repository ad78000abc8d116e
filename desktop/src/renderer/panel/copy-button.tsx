import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { bridge } from '../bridge/bridge.ts';
import { Icon } from '../frame/icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, as in `Copy the request id`. */
  readonly what: string;
  /** Shown as words instead of a sign. */
  readonly label?: string;
  readonly size?: 'xs' | 'compact-xs';
}

const TOLD_MS = 1500;

/** Puts a text on the clipboard, and says so for a moment. */
export function CopyButton({ text, what, label, size = 'compact-xs' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => void bridge.invoke('clipboard.write', { text }).then(() => setCopied(true));
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
