import type { CSSProperties, ReactNode } from 'react';
import classes from './kit.module.css';

export interface TileValue {
  readonly name: string;
  readonly value: string;
  readonly note?: ReactNode;
}

/** A few figures that matter most. */
export function Tiles({ tiles }: { readonly tiles: readonly TileValue[] }) {
  return (
    <div className={classes['tiles']}>
      {tiles.map(({ name, value, note }) => (
        <div key={name} className={classes['tile']}>
          <span className="kit-soft">{name}</span>
          <span className={classes['tileValue']} style={{ '--characters': value.length } as CSSProperties}>
            {value}
          </span>
          {note && <span className={classes['tileNote']}>{note}</span>}
        </div>
      ))}
    </div>
  );
}
