import { clockTime, fullTime, shortTime } from '@ocr-router/ui/format/time.ts';
import { COST, ERROR, engineText, PAGES, STATUS, TOOK, TOTAL } from '@ocr-router/ui/requests/columns.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import type { RequestRowFragment } from '../../documents.generated.ts';
import { CopyMark } from '../kit/copy-mark.tsx';
import classes from './requests.module.css';

type RequestColumn = Column<RequestRowFragment>;

const TIME: RequestColumn = { id: 'time', header: 'Accepted', widthPx: 112, cell: timeCell };
const ENGINE: RequestColumn = { id: 'engine', header: 'Engine', widthPx: 150, cell: engineCell };
/** Where nothing else takes the room that is left. */
const LAST_ENGINE: RequestColumn = { id: 'engine', header: 'Engine', cell: engineCell };
const KEY: RequestColumn = { id: 'key', header: 'Key, account', cell: keyCell };
const ID: RequestColumn = { id: 'id', header: 'Request', widthPx: 270, cell: idCell };

/** Everything that a line has room for. */
export const WIDE_COLUMNS: readonly RequestColumn[] = [TIME, STATUS, ENGINE, PAGES, TOTAL, TOOK, COST, ERROR, KEY, ID];
/** Within an engine's page. */
export const OF_ENGINE_COLUMNS: readonly RequestColumn[] = [TIME, STATUS, PAGES, TOTAL, TOOK, COST, ERROR, KEY, ID];
/** Beside the open panel, or in a narrow window. */
export const MEDIUM_COLUMNS: readonly RequestColumn[] = [TIME, STATUS, ENGINE, PAGES, TOTAL, COST, ERROR, KEY];
/** Beside the open panel in a narrow window. */
export const NARROW_COLUMNS: readonly RequestColumn[] = [TIME, STATUS, LAST_ENGINE, TOTAL];

function timeCell({ createdAt }: RequestRowFragment) {
  const isToday = new Date(createdAt).toDateString() === new Date().toDateString();
  return (
    <time dateTime={createdAt} title={fullTime(createdAt)}>
      {isToday ? clockTime(createdAt) : shortTime(createdAt)}
    </time>
  );
}

function engineCell(request: RequestRowFragment) {
  const text = engineText(request);
  return <span title={text}>{text}</span>;
}

function keyCell({ accountEmail, keyLabel, keyId }: RequestRowFragment) {
  const key = keyLabel ?? (keyId?.startsWith('login:') ? 'dashboard' : null);
  const text = [key, accountEmail].filter(Boolean).join(' · ');
  return (
    <span title={text}>
      {key} <span className="kit-soft">{accountEmail}</span>
    </span>
  );
}

function idCell({ id }: RequestRowFragment) {
  return (
    <span className={classes['id']}>
      <code>{id}</code>
      <CopyMark text={id} what="request id" />
    </span>
  );
}
