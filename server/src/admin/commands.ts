import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { dashboardAddress } from '../accounts/login/dashboard-address.ts';
import { openDatabase } from '../database/open.ts';
import { Secrets } from '../database/secrets/secrets.ts';
import { BUILT_IN } from '../engines/built-in.ts';
import { mergeEntries, readEnginesFile } from '../engines/engines-file.ts';
import { makeCatalogue } from '../engines/make-catalogue.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { AppError, asAppError } from '../platform/errors.ts';
import { makeLog } from '../platform/logging/log.ts';
import { accountsTable } from './accounts-table.ts';
import { type Admin, openAdmin } from './admin.ts';
import { archive } from './archive.ts';
import { backup, restore } from './backup.ts';
import { textDays, usd, whole } from './option-values.ts';
import { readPassword } from './read-password.ts';

const program = new Command('admin')
  .description('Operates an ocr-router. Each command prints one JSON object.')
  .exitOverride()
  .configureOutput({ writeErr: () => undefined });

const MOST_LISTED = 1000;
const PASSWORD_HELP = 'asked for at a terminal; with - a line of standard input';

const account = program.command('account').description('accounts');
account
  .command('create')
  .requiredOption('--email <email>')
  .option('--password [password]', PASSWORD_HELP)
  .option('--credit <usd>', 'credit to begin with', usd)
  .option('--no-history', 'keep no texts')
  .option('--tier <tier>', 'free, pro, scale or unlimited', 'free')
  .action(async ({ password: given, ...options }) => {
    const password = given === undefined ? {} : { password: await passwordOf(given) };
    await run('account create', options, (admin) =>
      admin.createAccount({ ...options, ...password, creditUsd: options.credit }),
    );
  });
account
  .command('password')
  .description('a new password; ends all sessions')
  .requiredOption('--account <id>')
  .requiredOption('--password [password]', PASSWORD_HELP)
  .action(async ({ password: given, ...options }) => {
    const password = await passwordOf(given);
    await run('account password', options, (admin) => admin.setPassword(options.account, password));
  });
account
  .command('email')
  .description('its address, known to be the owner’s; frees another one')
  .requiredOption('--account <id>')
  .requiredOption('--email <email>')
  .action((options) => run('account email', options, (admin) => admin.setEmail(options.account, options.email)));
account
  .command('disconnect')
  .description('forgets its logins at the identity provider; the next one with its address is the owner’s')
  .requiredOption('--account <id>')
  .action((options) => run('account disconnect', options, (admin) => admin.disconnect(options.account)));
account
  .command('retention')
  .description('for how many days texts of results are kept')
  .requiredOption('--account <id>')
  .requiredOption('--text-days <days>', '1 to 3650, or `off` for ever', textDays)
  .action((options) =>
    run('account retention', options, (admin) => admin.setRetention(options.account, options.textDays)),
  );
account
  .command('export')
  .description('everything that it has, as a tar.gz of NDJSON files')
  .requiredOption('--account <id>')
  .requiredOption('--out <file>', 'a file that is not there yet')
  .action((options) => run('account export', options, (admin) => admin.exportAccount(options.account, options.out)));
account
  .command('delete')
  .description('ends it: logins, keys, texts, webhooks go, its ledger stays; cannot be undone')
  .requiredOption('--account <id>')
  .requiredOption('--yes', 'that it is meant')
  .action((options) => run('account delete', options, (admin) => admin.deleteAccount(options.account)));
account
  .command('show')
  .requiredOption('--account <id>')
  .action((options) => run('account show', null, (admin) => admin.showAccount(options.account)));
account
  .command('list')
  .description('accounts by their e-mail addresses, with their balances')
  .option('--search <text>', 'a part of the address')
  .option('--owing', 'only those that owe something')
  .option('--limit <count>', `so many at most, 1 to ${MOST_LISTED}`, whole(MOST_LISTED, 'accounts'), 100)
  .option('--after <next>', 'what comes after the page that said `next`')
  .option('--table', 'for people, in place of JSON')
  .action(async ({ table, ...wish }) => {
    const accounts = await perform('account list', null, (admin) => admin.listAccounts(wish));
    if (table) process.stdout.write(`${accountsTable(accounts)}\n`);
    else print(accounts);
  });

const key = program.command('key').description('API keys');
key
  .command('create')
  .requiredOption('--account <id>')
  .option('--label <label>')
  .option('--scopes <list>', 'comma separated', (text) => text.split(',').map((scope) => scope.trim()))
  .action((options) =>
    run('key create', options, (admin) => admin.createKey({ ...options, accountId: options.account })),
  );
key
  .command('revoke')
  .requiredOption('--key <id>')
  .action((options) => run('key revoke', options, (admin) => admin.revokeKey(options.key)));

const credit = program.command('credit').description('credit of an account');
credit
  .command('add')
  .requiredOption('--account <id>')
  .requiredOption('--usd <amount>', 'amount in USD', usd)
  .option('--key <key>', 'a name of this top-up: the same one again adds nothing')
  .action((options) =>
    run('credit add', options, (admin) => admin.addCredit(options.account, options.usd, options.key)),
  );
credit
  .command('adjust')
  .description('corrects a balance')
  .requiredOption('--account <id>')
  .requiredOption('--usd <amount>', 'amount in USD; below 0 it is taken away', usd)
  .requiredOption('--reason <text>', 'why; it stands in the account’s ledger')
  .option('--key <key>', 'a name of this adjustment: the same one again changes nothing')
  .action((options) =>
    run('credit adjust', options, (admin) => admin.adjustCredit(options.account, options.usd, options)),
  );
credit
  .command('refund')
  .description('gives back what was charged for a request')
  .requiredOption('--request <id>')
  .option('--usd <amount>', 'amount in USD; all that is left of the charge when absent', usd)
  .requiredOption('--reason <text>', 'why; it stands in the account’s ledger')
  .option('--key <key>', 'a name of this refund: the same one again gives nothing back')
  .action((options) =>
    run('credit refund', options, (admin) => admin.refund(options.request, options.usd ?? null, options)),
  );

program
  .command('session')
  .description('logins to the dashboard')
  .command('create')
  .requiredOption('--account <id>')
  .action((options) =>
    run('session create', options, (admin, config) => admin.createSession(options.account, dashboardAddress(config))),
  );

const history = program.command('history').description('whether texts of results are kept');
for (const state of ['on', 'off'] as const) {
  history
    .command(state)
    .requiredOption('--account <id>')
    .action((options) =>
      run(`history ${state}`, options, (admin) => admin.setHistory(options.account, state === 'on')),
    );
}

const engine = program.command('engine').description('engines');
for (const verb of ['enable', 'disable'] as const) {
  engine
    .command(verb)
    .argument('<id>')
    .action((id) =>
      run(`engine ${verb}`, { engine: id }, (admin) => admin.setEngineEnabled(requireEngine(id), verb === 'enable')),
    );
}

const billing = program.command('billing').description('costs that providers report late');
billing.command('pending').action(() => run('billing pending', null, (admin) => admin.pendingBilling()));
billing
  .command('verify')
  .requiredOption('--attempt <id>')
  .requiredOption('--usd <amount>', 'what the provider billed, in USD', usd)
  .action((options) => run('billing verify', options, (admin) => admin.verifyBilling(options.attempt, options.usd)));

program
  .command('demo')
  .description('what is invented, for looking at')
  .command('seed')
  .description('fills the gateway with traffic that never was, marked as a demo; again, it adds what is missing since')
  .option('--days <days>', 'days to look back, 1 to 90', whole(90, 'days'), 30)
  .option('--seed <text>', 'another text makes other traffic', 'ocr-router')
  .action((options) => run('demo seed', options, (admin) => admin.seedDemo(options)));

program
  .command('secrets')
  .description('the key that encrypts stored secrets')
  .command('rotate')
  .description('encrypts all of them with the present key (SECRETS_KEY), or with a new one where it is in a file')
  .action(() => run('secrets rotate', {}, (admin) => admin.rotateSecrets()));

program
  .command('identity')
  .description('the key that signs the tokens of sessions')
  .command('rotate')
  .description('makes a new one; the former verifies until its tokens have expired')
  .action(() => run('identity rotate', {}, (admin) => admin.rotateIdentity()));

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

async function run(...wanted: Parameters<typeof perform<object>>): Promise<void> {
  print(await perform(...wanted));
}

/** `options` are what is written down of a command that changes something; null for one that only looks. */
async function perform<Answer extends object>(
  action: string,
  options: Readonly<Record<string, unknown>> | null,
  work: (admin: Admin, config: Config) => Promise<Answer>,
): Promise<Answer> {
  const config = readConfig();
  if (isFirstOf(config)) process.stderr.write(`There is no database in ${config.dataDir} yet: an empty one is made.\n`);
  await using database = await openDatabase(config, makeLog('silent'), { share: true });
  await using admin = await openAdmin(database.url, new Secrets(config.secretsKey));
  const act = () => work(admin, config);
  return await (options ? admin.recorded(action, options, act) : act());
}

/** Who is in another folder than the service, or has another `DATA_DIR`, asks an empty database without knowing it. */
function isFirstOf({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl === null && !existsSync(join(dataDir, 'embedded-postgres.json'));
}

function passwordOf(given: string | true): Promise<string> {
  return readPassword(given, { input: process.stdin, output: process.stderr });
}

function requireEngine(id: string): string {
  const config = readConfig();
  const file = config.enginesFile ? readEnginesFile(config.enginesFile) : { engines: [] };
  return makeCatalogue(mergeEntries(BUILT_IN, file), config).require(id).id;
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** Carries out what the command line says, prints one JSON object and ends the process. */
export async function runCommand(): Promise<never> {
  try {
    await program.parseAsync();
    process.exit();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (code === 'commander.helpDisplayed' || code === 'commander.help') process.exit(0);
    const isUsage = typeof code === 'string' && code.startsWith('commander.');
    const known = isUsage ? new AppError('invalid_request', message.replace(/^error: /, '')) : asAppError(error);
    const shown = known.code === 'internal_error' ? new AppError('internal_error', message) : known;
    print(shown.envelope());
    process.exit(1);
  }
}
