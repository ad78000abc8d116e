import type { Command } from 'commander';
import { dashboardAddress } from '../../accounts/login/dashboard-address.ts';
import { run } from './perform.ts';

/** API keys and logins, and the keys behind them. */
export function addAccessCommands(program: Command): void {
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

  program
    .command('session')
    .description('logins to the dashboard')
    .command('create')
    .requiredOption('--account <id>')
    .action((options) =>
      run('session create', options, (admin, config) => admin.createSession(options.account, dashboardAddress(config))),
    );

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
}
