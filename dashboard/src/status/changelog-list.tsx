import type { components } from '../../../openapi/types.d.ts';
import classes from './status.module.css';

/** What changed in the API, newest first. */
export function ChangelogList({ entries }: { readonly entries: readonly components['schemas']['ChangelogEntry'][] }) {
  return (
    <ol className={classes['changes']}>
      {entries.map(({ version, date, changes }) => (
        <li key={version}>
          <time dateTime={date}>{date}</time>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
