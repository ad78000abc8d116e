import type { AppInfo } from '../../shared/channels.ts';
import classes from './settings.module.css';
import { useAppInfo } from './use-app-info.ts';

const STORAGE: Record<AppInfo['tokenStorage'], string> = {
  keychain: 'in the key store of this system, encrypted',
  file: 'in a file that only your user can read',
  memory: 'in memory, until the program ends',
};
const SHELLS: Record<AppInfo['shell'], string> = { electron: 'the desktop app', web: 'a browser, by its local server' };

/** Which console this is, and where it keeps the keys. */
export function AboutSection() {
  const info = useAppInfo();
  if (info === null) return null;
  return (
    <section aria-labelledby="about">
      <h2 id="about" className={classes['heading']}>
        About
      </h2>
      <dl className={`kit-panel ${classes['rows']}`}>
        <div className={classes['row']}>
          <dt>Console</dt>
          <dd>
            {info.version}, in {SHELLS[info.shell]}
          </dd>
        </div>
        <div className={classes['row']}>
          <dt>Operators’ keys</dt>
          <dd>kept {STORAGE[info.tokenStorage]}; this window never sees them</dd>
        </div>
      </dl>
    </section>
  );
}
