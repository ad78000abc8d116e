import type { Command } from 'commander';
import { readConfig } from '../../platform/config.ts';
import { archive } from '../archive.ts';
import { backup, restore } from '../backup.ts';
import { whole } from '../option-values.ts';
import { print, run } from './perform.ts';

/** The database: proofs, copies, old months, invented traffic. */
export function addDataCommands(program: Command): void {
  program
    .command('demo')
    .description('what is invented, for looking at')
    .command('seed')
    .description(
      'fills the gateway with traffic that never was, marked as a demo; again, it adds what is missing since',
    )
    .option('--days <days>', 'days to look back, 1 to 90', whole(90, 'days'), 30)
    .option('--seed <text>', 'another text makes other traffic', 'ocr-router')
    .action((options) => run('demo seed', options, (admin) => admin.seedDemo(options)));

  program
    .command('doctor')
    .description('checks the database and the ledger: what has happened since the last check')
    .option('--full', 'reads every transfer and every request again')
    .option(
      '--fast',
      'without the rests for requests, which take two thirds of its time: where nobody is served beside it',
    )
    .option('--archives <folder>', 'reads what `archive` has written there again, too')
    .action(({ full, fast, archives = null }) =>
      run('doctor', null, (admin) => admin.doctor({ full: full === true, fast: fast === true, archives })),
    );

  program
    .command('migrate')
    .description('brings the schema up to date; a start does the same')
    .action(() => run('migrate', null, async () => ({ schema: 'up to date' })));

  program
    .command('backup')
    .description('everything that the database holds, as it is at one moment, in one file; the service may go on')
    .option('--out <file>', 'a file that is not there yet; ocr-router-backup-TIME.tar.gz when absent')
    .action(async ({ out }) => print(await backup(readConfig(), out ?? null)));

  program
    .command('archive')
    .description('pages, layouts and attempts of months that are over, moved to files; the service may go on')
    .requiredOption('--before <month>', 'what was accepted before this month, as 2026-01')
    .requiredOption('--out <folder>', 'where the files are to stand')
    .option('--delete-texts', 'deletes what requests of these months still have of what they read')
    .action(async (options) => print(await archive(readConfig(), options)));

  program
    .command('restore')
    .description('a backup into an empty database, with the proof of `doctor --full`')
    .argument('<file>')
    .option('--resume', 'what was under way goes on at the next start')
    .option('--end', 'what was under way is ended without a charge, and nothing is sent')
    .action(async (file, options) => {
      const restored = await restore(readConfig(), file, options);
      print(restored);
      if (!restored.doctor.ok) process.exitCode = 1;
    });
}
