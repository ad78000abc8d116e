import type { Command } from 'commander';
import { usd } from '../option-values.ts';
import { run } from './perform.ts';

/** What accounts have, and what they were charged. */
export function addMoneyCommands(program: Command): void {
  addCredit(program.command('credit').description('credit of an account'));
  addBilling(program.command('billing').description('costs that providers report late'));
}

function addCredit(credit: Command): void {
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
}

function addBilling(billing: Command): void {
  billing.command('pending').action(() => run('billing pending', null, (admin) => admin.pendingBilling()));
  billing
    .command('verify')
    .requiredOption('--attempt <id>')
    .requiredOption('--usd <amount>', 'what the provider billed, in USD', usd)
    .action((options) => run('billing verify', options, (admin) => admin.verifyBilling(options.attempt, options.usd)));
}
