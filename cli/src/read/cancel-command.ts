import { Command } from 'commander';
import { type GatewayOptions, openGateway, withGateway } from './gateway.ts';

export function cancelCommand(): Command {
  return withGateway(new Command('cancel'))
    .description('ends a request that nobody waits for any more; what was read of it is charged')
    .argument('<id>', 'request id')
    .action(async (id: string, options: GatewayOptions) => {
      await using gateway = await openGateway(options);
      process.stdout.write(`${JSON.stringify(await gateway.client.cancel(id))}\n`);
    });
}
