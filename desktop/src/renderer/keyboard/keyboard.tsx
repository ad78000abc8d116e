import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useProfiles } from '../bridge/profiles.tsx';
import { useWallMode } from '../navigation/use-wall-mode.ts';
import { PAGES } from '../pages.ts';
import { openPalette, Palette } from '../palette/palette.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { type Shortcut, ShortcutReader } from './shortcuts.ts';

/** The keys of the whole console, the palette and the list of keys. */
export function Keyboard() {
  const [, navigate] = useLocation();
  const { profiles, select } = useProfiles();
  const [helps, setHelps] = useState(false);
  const [, toggleWall] = useWallMode();

  const act = (shortcut: Shortcut, event: KeyboardEvent): boolean => {
    switch (shortcut.kind) {
      case 'palette':
        openPalette();
        return true;
      case 'help':
        setHelps(true);
        return true;
      case 'page': {
        const page = PAGES.find((other) => other.shortcut === shortcut.key);
        if (page) navigate(page.home);
        return page !== undefined;
      }
      case 'profile': {
        const profile = profiles[shortcut.index];
        if (profile) void select(profile.id);
        return profile !== undefined;
      }
      case 'search':
        return focusSearch() || openPalette();
      case 'wall':
        toggleWall();
        return true;
      case 'escape':
        return leave();
      case 'move':
        return moveInTable(event);
    }
  };
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const reader = new ShortcutReader();
    const onKey = (event: KeyboardEvent): void => {
      // What had the focus has used the key; an open dialog has its own.
      if (event.defaultPrevented || document.querySelector('[role="dialog"]')) return;
      // The time at which it was pressed: a page at work may read it later.
      const { key, ctrlKey, metaKey, altKey, timeStamp: atMs } = event;
      const shortcut = reader.read({ key, ctrlKey, metaKey, altKey, inField: isField(event.target), atMs });
      if (shortcut !== null && latest.current(shortcut, event)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Palette />
      <ShortcutHelp opened={helps} onClose={() => setHelps(false)} />
    </>
  );
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

/** The page's own search field; false where it has none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[data-search]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** Leaves a field, or closes what the page has opened beside its list. */
function leave(): boolean {
  if (isField(document.activeElement)) {
    (document.activeElement as HTMLElement).blur(); // a field is an HTML element
    return true;
  }
  const close = document.querySelector<HTMLElement>('main [data-escape]');
  close?.click();
  return close !== null;
}

/** Hands the key to the page's table, so that rows can be moved through without a click into it first. */
function moveInTable(event: KeyboardEvent): boolean {
  const target = event.target as Element; // keys come from elements
  const isFree = target === document.body || target.id === 'main' || target.closest('aside') !== null;
  if (!isFree && !'jk'.includes(event.key)) return false;
  if (event.key === 'Enter' && target.closest('a, button, summary') !== null) return false;
  // In an open panel the arrows scroll; j and k go to the next request.
  if (target.closest('aside') !== null && !'jk'.includes(event.key)) return false;
  const table = document.querySelector<HTMLElement>('main [role="grid"]');
  if (table === null) return false;
  table.focus({ preventScroll: true });
  table.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }));
  return true;
}
