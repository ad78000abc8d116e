import { Select } from '@mantine/core';
import type { PlaygroundQuery } from '../documents.generated.ts';
import type { Draft } from './draft.ts';
import { engineFacts, engineLabel } from './engine-words.ts';
import classes from './playground.module.css';

type EngineChoice = PlaygroundQuery['engines'][number];

interface EngineFieldsProps {
  readonly engines: readonly EngineChoice[];
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

/** Which engine reads, and which other one beside it. */
export function EngineFields({ engines, draft, onChange }: EngineFieldsProps) {
  const chosen = engines.find(({ id }) => id === draft.engine);
  const data = engines.map((engine) => ({
    value: engine.id,
    label: engineLabel(engine),
    disabled: engine.status !== 'available',
  }));
  return (
    <div className={classes['fields']}>
      <Select
        label="Read with"
        data={data}
        value={draft.engine}
        onChange={(engine) => onChange({ ...draft, engine, other: draft.other === engine ? null : draft.other })}
        allowDeselect={false}
        searchable
        {...(chosen && { description: engineFacts(chosen) })}
      />
      <Select
        label="Compare with"
        placeholder="no other engine"
        data={data.filter(({ value }) => value !== draft.engine)}
        value={draft.other}
        onChange={(other) => onChange({ ...draft, other })}
        clearable
        searchable
      />
    </div>
  );
}
