import type { Command } from 'commander';
import { accountsTable } from '../accounts-table.ts';
import { textDays, usd, whole } from '../option-values.ts';
import { readPassword } from '../read-password.ts';
import { perform, print, run } from './perform.ts';

const MOST_LISTED = 1000;
const PASSWORD_HELP = 'asked for at a terminal; with - a line of standard input';

/** Accounts, and whether their texts are kept. */
export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('accounts');
  addMaking(account);
  addKeeping(account);
  addLooking(account);
  const history = program.command('history').description('whether texts of results are kept');
  for (const state of ['on', 'off'] as const) {
    history
      .command(state)
      .requiredOption('--account <id>')
      .action((options) =>
        run(`history ${state}`, options, (admin) => admin.setHistory(options.account, state === 'on')),
      );
  }
}

function addMaking(account: Command): void {
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
}

function addKeeping(account: Command): void {
  account
    .command('retention')
    .description('for how many days texts of results are kept')
    .requiredOption('--account <id>')
    .requiredOption('--text-days <days>', '1 to 3650, or `off` for ever', textDays)
    .action((options) => {
      const days = options.textDays === 'off' ? null : options.textDays;
      return run('account retention', options, (admin) => admin.setRetention(options.account, days));
    });
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
}

function addLooking(account: Command): void {
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
}

function passwordOf(given: string | true): Promise<string> {
  return readPassword(given, { input: process.stdin, output: process.stderr });
}
