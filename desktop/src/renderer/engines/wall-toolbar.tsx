import { Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core';
import { Icon } from '../kit/icon.tsx';
import { useSearchParam } from '../navigation/use-search-param.ts';
import classes from './engines.module.css';
import { useWallFilter } from './use-wall-filter.ts';
import type { WallEngine } from './wall-engine.ts';

const STATES = [
  { value: 'down', label: 'Down' },
  { value: 'degraded', label: 'Degraded' },
  { value: 'no-data', label: 'No data' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'healthy', label: 'Healthy' },
];
const VIEWS = [
  { value: 'cards', label: 'Cards' },
  { value: 'table', label: 'Table' },
  { value: 'compare', label: 'Compare' },
];

/** How the wall is shown, and what narrows it; a comparison has a choice of its own. */
export function WallToolbar({ engines }: { readonly engines: readonly WallEngine[] }) {
  const [, change] = useWallFilter();
  const [view] = useSearchParam('view');
  return (
    <search className={classes['toolbar']}>
      {view !== 'compare' && <Filters engines={engines} />}
      <SegmentedControl
        aria-label="View"
        data={VIEWS}
        value={view === 'table' || view === 'compare' ? view : 'cards'}
        onChange={(next) => change({ view: next === 'cards' ? null : next })}
      />
    </search>
  );
}

function Filters({ engines }: { readonly engines: readonly WallEngine[] }) {
  const [filter, change] = useWallFilter();
  const providers = [...new Set(engines.map(({ provider }) => provider))].sort();
  return (
    <>
      <TextInput
        aria-label="Filter engines"
        placeholder="Filter"
        data-page-filter
        leftSection={<Icon name="search" sizePx={14} />}
        value={filter.text}
        onChange={(event) => change({ q: event.currentTarget.value })}
      />
      <Select
        aria-label="Provider"
        placeholder="All providers"
        clearable
        w={150}
        data={providers}
        value={filter.provider}
        onChange={(provider) => change({ provider })}
      />
      <Select
        aria-label="State"
        placeholder="All states"
        clearable
        w={130}
        data={STATES}
        value={filter.state}
        onChange={(state) => change({ state })}
      />
      <Checkbox
        label="Native PDF"
        checked={filter.nativePdf}
        onChange={(event) => change({ pdf: event.currentTarget.checked ? 'native' : null })}
      />
    </>
  );
}
