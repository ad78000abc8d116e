import { createRequire } from 'node:module';
import { OcrError } from '@ocr-router/client';
import { Command, CommanderError } from 'commander';
import { ENTRIES, entryOf } from './entries.ts';
import { mcpCommand } from './mcp/mcp-command.ts';
import { cancelCommand } from './read/cancel-command.ts';
import { estimateCommand } from './read/estimate-command.ts';
import { readCommand } from './read/read-command.ts';
import { say } from './say.ts';
import { endureFaultsOfOutputs } from './standard-outputs.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/** Runs a command line. Commands of the service are handed to its own entries as they are. */
export async function run(argv: readonly string[]): Promise<void> {
  const entry = entryOf(argv);
  if (entry) return entry(argv);
  endureFaultsOfOutputs(process);
  const program = new Command('ocr-router')
    .description('Reads documents with an ocr-router, and runs one.')
    .version(version)
    .exitOverride()
    .showHelpAfterError();
  for (const command of [readCommand(), estimateCommand(), cancelCommand(), mcpCommand()]) {
    program.addCommand(command.exitOverride());
  }
  for (const [name, { description }] of Object.entries(ENTRIES)) program.command(name).description(description);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // it has said why
  const hint = error instanceof OcrError && error.code === 'authentication_error' ? ' Set OCR_ROUTER_API_KEY.' : '';
  say(`ocr-router: ${(error as Error).message}${hint}`);
  return 2;
}
