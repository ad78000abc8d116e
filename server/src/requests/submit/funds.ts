import { type Needed, needed } from '../../billing/charge.ts';
import { adapterOf } from '../../engines/adapters/registry.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { AppError } from '../../platform/errors.ts';
import { toUsd } from '../../platform/money.ts';
import type { Understood } from '../model/effective.ts';
import { handsScansOn } from '../run/read-request.ts';
import type { Funds } from '../store/accept.ts';

/** What a request needs: scanned pages may be handed to a second engine. */
export function holdOf({ engine, effective, fallbackEngine, pages }: Understood): Needed {
  const scans = handsScansOn(engine) && effective.scannedHandling === 'fallback' ? fallbackEngine : null;
  return needed(engine, scans, pages);
}

/** Whether no provider bills for its calls. */
export function isLocal(engine: Engine): boolean {
  return adapterOf(engine).local;
}

/** A look ahead: acceptance judges again, under the lock. */
export function requireFunds({ hold, tokenPriced }: Needed, { available, owed }: Funds): void {
  if (tokenPriced && owed > 0n) throw insufficient('owed', hold, available);
  if (hold > available) throw insufficient('balance', hold, available);
}

/** Why an account cannot pay for a request, and what would help. */
export function insufficient(reason: 'balance' | 'owed', hold: bigint, available: bigint): AppError {
  if (reason === 'owed') {
    return new AppError(
      'insufficient_balance',
      'An amount is owed; token-priced engines are blocked until a top-up covers it.',
    );
  }
  return new AppError(
    'insufficient_balance',
    `The request needs ${toUsd(hold)} USD and ${toUsd(available)} USD are available. Add credit, then send it again.`,
  );
}
