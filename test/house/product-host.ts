// Runs products beside each other in this process, as `hosted-product.ts` asks by its channel: what one has loaded and
// compiled serves the next, so that a start costs a quarter of a process's.
import '../../server/dist/platform/production.js';
import '../../server/dist/app.js'; // all of it now, in the order of its imports, not when the first one asks
import { readConfig } from '../../server/dist/platform/config.js';
import { makeLog } from '../../server/dist/platform/logging/log.js';
import type { Role } from '../../server/dist/platform/role.js';
import { openService, type Service } from '../../server/dist/service.js';

export type HostCommand =
  | { readonly kind: 'open'; readonly id: number; readonly role: Role; readonly env: Readonly<Record<string, string>> }
  | { readonly kind: 'close'; readonly id: number };

export type HostEvent =
  | { readonly kind: 'opened' | 'closed'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'logged'; readonly id: number; readonly line: string };

const services = new Map<number, Service>();

process.on('message', (command: HostCommand) => {
  const done = command.kind === 'open' ? open(command) : close(command.id);
  done.catch((error: Error) => tell({ kind: 'failed', id: command.id, message: error.stack ?? error.message }));
});
process.on('disconnect', () => process.exit(0));

async function open({ id, role, env }: Extract<HostCommand, { kind: 'open' }>): Promise<void> {
  const config = readConfig(env);
  const log = makeLog(config.logLevel, 'json', { write: (line) => tell({ kind: 'logged', id, line }) });
  services.set(id, await openService(role, config, log));
  tell({ kind: 'opened', id });
}

async function close(id: number): Promise<void> {
  await end(services.get(id));
  services.delete(id);
  tell({ kind: 'closed', id });
}

/** Ends a service as a signal ends its process, also where it could not be drained. */
async function end(running: Service | undefined): Promise<void> {
  await using service = running;
  await service?.drain();
}

function tell(event: HostEvent): void {
  process.send?.(event);
}
