import { UnstyledButton } from '@mantine/core';
import { count, plural } from '@ocr-router/ui/format/count.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import type { OverviewQuery } from '../../documents.generated.ts';
import classes from './overview.module.css';

/** As many as stand beside the engines without pushing the latest requests off the first screen. */
const SHOWN = 6;
/** As many as the gateway answers with. */
const MOST = 500;

/** Calls that never became a request: which codes, for which engine, of whom. */
export function RefusedCalls({ calls }: { readonly calls: OverviewQuery['refusedCalls'] }) {
  const [all, setAll] = useState(false);
  if (calls.length === 0) return null;
  return (
    <section aria-labelledby="refused-calls">
      <h2 className={classes['heading']}>
        <span id="refused-calls">Refused calls</span>
        {calls.length > SHOWN && (
          <UnstyledButton className="kit-link" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Only the ${SHOWN} most frequent` : allText(calls.length)}
          </UnstyledButton>
        )}
      </h2>
      <ul className={`kit-panel ${classes['items']}`}>
        {calls
          .slice(0, all ? MOST : SHOWN)
          .map(({ engine, accountId, accountEmail, keyId, keyLabel, status, code, calls: many }) => (
            <li key={`${engine} ${accountId} ${keyId} ${status} ${code}`}>
              <Link
                href={accountId ? `/accounts?account=${accountId}` : '/accounts'}
                className={classes['item']}
                data-dense
              >
                <span>{count(many)}</span>
                <span className={classes['itemTitle']}>
                  {status} {code}
                </span>
                <span className={classes['itemDetail']}>
                  {[engine, callerText({ accountId, accountEmail, keyId, keyLabel })].filter(Boolean).join(' · ')}
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </section>
  );
}

function allText(kinds: number): string {
  return kinds < MOST ? `All ${plural(kinds, 'kind')}` : `The ${count(MOST)} most frequent kinds`;
}

type Caller = Pick<OverviewQuery['refusedCalls'][number], 'accountId' | 'accountEmail' | 'keyId' | 'keyLabel'>;

/** The key by its name, of which account; a caller without a valid key is none. */
function callerText({ accountId, accountEmail, keyId, keyLabel }: Caller): string {
  if (accountId === null) return 'without a valid key';
  const key = keyId === null || keyId.startsWith('login:') ? 'dashboard' : (keyLabel ?? keyId);
  return `${key}, ${accountEmail ?? accountId}`;
}
