// Runs an entry of a package as this process, after a build of the packages that it needs where something has changed:
// one process for both, because each more that npm starts is time that a start takes. `--ignore-scripts` leaves the build out.
//
//   node scripts/run.mjs [--quiet] PACKAGE[,PACKAGE…] ENTRY [ARGUMENT…]
//
// --quiet: standard output belongs to the entry.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfChanged } from './build-if-changed.mjs';

const given = process.argv.slice(2);
const quiet = given[0] === '--quiet';
const [packages, entry, ...rest] = quiet ? given.slice(1) : given;
const { env } = process;
if (env.npm_config_ignore_scripts !== 'true') buildIfChanged(packages.split(','), { quiet });

const file = join(import.meta.dirname, '..', entry);
process.argv = [process.argv[0], file, ...rest];
await import(pathToFileURL(file).href);
