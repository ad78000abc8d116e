import { Kbd, Modal } from '@mantine/core';
import { PAGES } from '../pages.ts';
import classes from './keyboard.module.css';

interface ShortcutHelpProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

type Line = readonly [words: string, ...keys: string[]];

const GENERAL: readonly Line[] = [
  ['Find anything: pages, engines, accounts, request ids', 'Ctrl', 'K'],
  ['Search in the page', '/'],
  ['Another gateway', 'Ctrl', '1–9'],
  ['Wall mode: the page alone', 'f'],
  ['These keys', '?'],
];
const LISTS: readonly Line[] = [
  ['Next row', 'j'],
  ['Previous row', 'k'],
  ['Open the row', 'Enter'],
  ['Close, or leave a field', 'Esc'],
  ['First, last row', 'Home', 'End'],
];

/** The list of keys. */
export function ShortcutHelp({ opened, onClose }: ShortcutHelpProps) {
  const pages = PAGES.map(({ name, shortcut }): Line => [name, 'g', shortcut]);
  return (
    <Modal opened={opened} onClose={onClose} title="Keys" size="lg">
      <div className={classes['groups']}>
        <Group title="Everywhere" lines={GENERAL} />
        <Group title="Go to" lines={pages} />
        <Group title="In lists" lines={LISTS} />
      </div>
    </Modal>
  );
}

function Group({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) {
  return (
    <section>
      <h3 className={classes['title']}>{title}</h3>
      <dl className={classes['lines']}>
        {lines.map(([words, ...keys]) => (
          <div key={words} className={classes['line']}>
            <dt>{words}</dt>
            <dd className={classes['keys']}>
              {keys.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
