import { type Config, readConfig } from './platform/config.ts';
import { armFault } from './platform/fault.ts';
import { type Log, makeLog } from './platform/logging/log.ts';
import { IdleMemory } from './platform/memory/idle-memory.ts';
import type { Role } from './platform/role.ts';
import { SettingError } from './platform/settings/setting-error.ts';
import { stopSignal } from './platform/stop-signal.ts';
import { addressesOf, openService } from './service.ts';

/** How long a stop may take beyond `SHUTDOWN_LIMIT_MS`: closing connections, handing work back, stopping the database. */
const STOP_GRACE_MS = 10_000;

/** Runs a process of the service until it is asked to stop; ends the process. */
export function serve(role: Role): void {
  const config = usableConfig();
  const log = makeLog(config.logLevel, config.logFormat);
  armFault(config.fault);
  process.stdout.on('error', nobodyReads);
  run(role, config, log).then(
    () => process.exit(0),
    (error: Error) => {
      report(log, error);
      process.exitCode = 1;
      setTimeout(() => process.exit(1), 200);
    },
  );
}

function usableConfig(): Config {
  try {
    return readConfig();
  } catch (error) {
    report(makeLog('info', process.stdout.isTTY ? 'pretty' : 'json'), error as Error);
    process.exit(1);
  }
}

/** The terminal was closed, or the reader of the pipe has gone: the service goes on. */
function nobodyReads(): void {}

/** What an operator can mend is said in a sentence; for everything else the places are needed. */
function report(log: Log, error: Error): void {
  if (error instanceof SettingError) log.fatal(error.message);
  else log.fatal({ err: error }, error.message);
}

async function run(role: Role, config: Config, log: Log): Promise<void> {
  const stop = stopSignal({ withParent: config.startedByNpm, log });
  await using service = await openService(role, config, log);
  using idleMemory = new IdleMemory();
  idleMemory.start();
  log.info({ role, ...(role !== 'worker' && addressesOf(config)) }, 'ocr-router is ready');
  const reason = await stop;
  log.info({ reason, limitMs: config.shutdownLimitMs }, 'stopping');
  setTimeout(() => giveUp(log), config.shutdownLimitMs + STOP_GRACE_MS).unref();
  await service.drain();
}

/** A stop that hangs ends all the same: what was not handed back is taken over when its lease ends. */
function giveUp(log: Log): void {
  log.error('the stop took too long: ending at once');
  process.exit(1);
}
