import '@mantine/spotlight/styles.css';
import { useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useProfiles } from '../bridge/profiles.tsx';
import { Icon, type IconName } from '../kit/icon.tsx';
import { useWallMode } from '../navigation/use-wall-mode.ts';
import classes from './palette.module.css';
import type { PaletteItem } from './palette-items.ts';
import { useEarlyKeys } from './use-early-keys.ts';
import { usePaletteItems } from './use-palette-items.ts';

const [store, spotlight] = createSpotlight();
const LIST_ID = 'palette-list';
const GROUPS = ['Request', 'Pages', 'Engines', 'Actions', 'Accounts', 'Gateways'] as const;
const ICONS: Record<PaletteItem['group'], IconName> = {
  Request: 'requests',
  Actions: 'check',
  Pages: 'overview',
  Engines: 'engines',
  Accounts: 'accounts',
  Gateways: 'external',
};

/** Opens the palette; true, because it always can. */
export function openPalette(): true {
  spotlight.open();
  return true;
}

function isOpen(): boolean {
  return store.getState().opened;
}

/** Ctrl+K: every page, engine, account and gateway by its name, any request by its id, and what can be done by name. */
export function Palette() {
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState(false);
  const addText = useCallback((text: string) => setQuery((before) => before + text), []);
  useEarlyKeys(isOpen, addText);
  return (
    <Spotlight.Root
      store={store}
      attributes={{ content: { 'aria-label': 'Find anything' } }}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight={420}
      overlayProps={{ blur: 0 }}
      clearQueryOnClose
      onSpotlightOpen={() => setOpened(true)}
      onSpotlightClose={() => setOpened(false)}
    >
      <Spotlight.Search
        aria-label="Find anything"
        placeholder="Page, engine, account, action, or a request id"
        leftSection={<Icon name="search" sizePx={16} />}
      />
      {opened && <Found query={query} />}
    </Spotlight.Root>
  );
}

function Found({ query }: { readonly query: string }) {
  const items = usePaletteItems(query);
  const [, navigate] = useLocation();
  const { select } = useProfiles();
  const { setColorScheme } = useMantineColorScheme();
  const [, toggleWall] = useWallMode();
  useEffect(() => selectFirst(items), [items]);
  const open = ({ group, id }: PaletteItem): void => {
    if (group === 'Gateways') void select(id);
    else if (id === 'scheme:dark' || id === 'scheme:light') setColorScheme(id === 'scheme:dark' ? 'dark' : 'light');
    else if (id === 'wall:toggle') toggleWall();
    else navigate(id);
  };
  return (
    <Spotlight.ActionsList id={LIST_ID}>
      {GROUPS.map((group) => {
        const members = items.filter((item) => item.group === group);
        if (members.length === 0) return null;
        return (
          <Spotlight.ActionsGroup key={group} label={group}>
            {members.map((item) => (
              <Spotlight.Action key={item.id} onClick={() => open(item)} className={classes['action']}>
                <Icon name={item.icon ?? ICONS[group]} sizePx={16} />
                <span className={classes['label']}>{item.label}</span>
                <span className="kit-soft">{item.words}</span>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        );
      })}
      {items.length === 0 && <Spotlight.Empty>No matches.</Spotlight.Empty>}
    </Spotlight.ActionsList>
  );
}

/** Marks the first of the items, which Enter opens: some of them come after the key that asked for them. */
function selectFirst(items: readonly PaletteItem[]): void {
  const list = document.getElementById(LIST_ID);
  if (items.length === 0 || list === null || list.querySelector('[data-selected]') !== null) return;
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}
