import { Command } from 'commander';
import { AppError, asAppError } from '../../platform/errors.ts';
import { SettingError } from '../../platform/settings/setting-error.ts';
import { addAccessCommands } from './access-commands.ts';
import { addAccountCommands } from './account-commands.ts';
import { addDataCommands } from './data-commands.ts';
import { addEngineCommands } from './engine-commands.ts';
import { addMoneyCommands } from './money-commands.ts';
import { print } from './perform.ts';

const program = new Command('admin')
  .description('Operates an ocr-router. Each command prints one JSON object.')
  .exitOverride()
  .configureOutput({ writeErr: () => undefined });
for (const add of [addAccountCommands, addAccessCommands, addMoneyCommands, addEngineCommands, addDataCommands]) {
  add(program);
}

const MISSING = new AppError('invalid_request', 'A command is missing: `--help` lists them.');

/** Carries out what the command line says, prints one JSON object and ends the process. */
export async function runCommand(): Promise<never> {
  try {
    await program.parseAsync();
    process.exit();
  } catch (error) {
    const { code, message, exitCode } = error as { code?: unknown; message: string; exitCode?: unknown };
    if (code === 'commander.help' && exitCode !== 0) return refuse(MISSING);
    if (code === 'commander.helpDisplayed' || code === 'commander.help') process.exit(0);
    const isUsage = typeof code === 'string' && code.startsWith('commander.');
    const isTheirs = isUsage || error instanceof SettingError; // a mistake of who operates
    const known = isTheirs ? new AppError('invalid_request', message.replace(/^error: /, '')) : asAppError(error);
    return refuse(known.code === 'internal_error' ? new AppError('internal_error', message) : known);
  }
}

function refuse(error: AppError): never {
  print(error.envelope());
  process.exit(1);
}
