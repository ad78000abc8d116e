import type { Command } from 'commander';
import { BUILT_IN } from '../../engines/built-in.ts';
import { mergeEntries, readEnginesFile } from '../../engines/engines-file.ts';
import { makeCatalogue } from '../../engines/make-catalogue.ts';
import { readConfig } from '../../platform/config.ts';
import { run } from './perform.ts';

/** Which engines are offered. */
export function addEngineCommands(program: Command): void {
  const engine = program.command('engine').description('engines');
  for (const verb of ['enable', 'disable'] as const) {
    engine
      .command(verb)
      .argument('<id>')
      .action((id) =>
        run(`engine ${verb}`, { engine: id }, (admin) => admin.setEngineEnabled(requireEngine(id), verb === 'enable')),
      );
  }
}

function requireEngine(id: string): string {
  const config = readConfig();
  const file = config.enginesFile ? readEnginesFile(config.enginesFile) : { engines: [] };
  return makeCatalogue(mergeEntries(BUILT_IN, file), config).require(id).id;
}
