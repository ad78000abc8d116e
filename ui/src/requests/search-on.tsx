import { Button } from '@mantine/core';
import { shortTime } from '../format/time.ts';
import { Empty } from '../states/empty.tsx';

interface SearchOnProps {
  /** When the last request was accepted that was looked at. */
  readonly searchedTo: string;
  readonly onSearch: () => void;
}

/** How far a search for a text came before it stopped, below what it found. */
export function SearchOn({ searchedTo, onSearch }: SearchOnProps) {
  return (
    <>
      Searched back to {shortTime(searchedTo)}.{' '}
      <Button variant="default" size="compact-xs" onClick={onSearch}>
        Search older requests
      </Button>
    </>
  );
}

/** A search that has found nothing so far. */
export function NothingFoundSoFar({ searchedTo, onSearch }: SearchOnProps) {
  return (
    <Empty
      title="Nothing found so far"
      action={
        <Button variant="default" onClick={onSearch}>
          Search older requests
        </Button>
      }
    >
      Searched back to {shortTime(searchedTo)}: one search looks at 100,000 requests.
    </Empty>
  );
}
