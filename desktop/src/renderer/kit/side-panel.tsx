import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import classes from './kit.module.css';

interface SidePanelProps {
  /** What is shown, as in `request` or `account`. */
  readonly what: string;
  readonly title: string;
  /** The id that the copy button copies. */
  readonly id: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The 420 px beside a list that show one of its rows in full. Esc closes it. */
export function SidePanel({ what, title, id, onClose, children }: SidePanelProps) {
  return (
    <aside className={classes['panel']} aria-label={`${what} ${title}`}>
      <header className={classes['panelHead']}>
        <h2 className={classes['panelTitle']} title={title} data-mono={title === id}>
          {title}
        </h2>
        <CopyButton text={id} what={`${what} id`} />
        <Tooltip label="Close (Esc)">
          <ActionIcon size={26} aria-label={`Close the ${what}`} data-escape onClick={onClose}>
            <Icon name="close" sizePx={16} />
          </ActionIcon>
        </Tooltip>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section className={classes['panelBody']} tabIndex={0} aria-label="Details">
        {children}
      </section>
    </aside>
  );
}
