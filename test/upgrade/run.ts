// `npm run test:upgrade -- [--from COMMIT | --before FOLDER]`, on a built product: processes of the previous version and of
// this one over one database, as an update has them. A package holds one version: the other one is built of the
// repository's own history, or is a checkout that has been built (`--before`).
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { missingRedis } from '../house/redis.ts';
import { checkoutIn, checkoutOf, previousCommit } from './previous.ts';
import { inherits, knowsOfNewerSchema, readsAlone, TwoVersions, tryOver } from './two-versions.ts';

const { values } = parseArgs({ options: { from: { type: 'string' }, before: { type: 'string' } } });
// Whoever stops the run leaves no process behind: each child ends with the runner's `exit`.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));

await using previous = values.before
  ? checkoutIn(values.before)
  : await checkoutOf(values.from ?? (await previousCommit()));
console.log(`beside ${previous.name}`);
await using versions = await TwoVersions.open({
  previous: previous.folder,
  new: resolve(import.meta.dirname, '../..'),
});
await besideEachOther(versions);
const missing = missingRedis();
if (missing) console.warn(`workers first: not tried, ${missing}`);
else await divided(versions);
await backAgain(versions);

/** All in one process, one of each: the schema is made by the previous version and migrated while it serves. */
async function besideEachOther(both: TwoVersions): Promise<void> {
  await using before = await both.start('previous');
  await both.makeAccount();
  await readsAlone(both.callerOf(before));
  await using after = await both.start('new');
  await tryOver(both.callerOf(before), both.callerOf(after));
  await tryOver(both.callerOf(after), both.callerOf(before));
  await both.prove('new');
  await both.prove('previous');
  await inherits(before, both.callerOf(before), both.callerOf(after));
  await both.prove('new');
  console.log('beside each other: holds');
}

/** The order of an update (docs/upgrading.md): the workers first. */
async function divided(both: TwoVersions): Promise<void> {
  await using api = await both.start('previous', 'api');
  await using _worker = await both.start('new', 'worker');
  await readsAlone(both.callerOf(api));
  await using newer = await both.start('new', 'api');
  await tryOver(both.callerOf(api), both.callerOf(newer));
  await tryOver(both.callerOf(newer), both.callerOf(api));
  console.log('workers first: holds');
}

/** The previous version alone over the newer schema. */
async function backAgain(both: TwoVersions): Promise<void> {
  await using before = await both.start('previous');
  await knowsOfNewerSchema(before);
  await readsAlone(both.callerOf(before));
  await both.prove('previous');
  await both.prove('new');
  console.log('back again: holds');
}
