import { once } from 'node:events';
import { type PlainTarget, targetOf } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';

/** One attack: `<name> <target as JSON>`. It goes on until it is told to end. */
const [name, target = ''] = process.argv.slice(2);
const attack = ATTACKS.find((each) => each.name === name);
if (!attack) throw new Error(`no attack is called "${name}"`);
process.setMaxListeners(0);
setInterval(() => undefined, 60_000); // it goes on while all it waits for is a pause
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const aim = targetOf(JSON.parse(target) as PlainTarget); // our own program's
await attack.prepare?.(aim);
console.log('ready');
await attack.run(aim, stop.signal);
if (!stop.signal.aborted) await once(stop.signal, 'abort');
process.exit(0);
