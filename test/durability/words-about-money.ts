import type { Row } from './books.ts';
import type { Failure, Sent } from './sent.ts';

/** By the contract a call that is answered so is never charged. */
const FREE_STATUSES = [500, 502];
const FREE = /nothing was charged/i;

/** Failures that tell of no charge, of a request that is charged at the end. */
export function liesAboutMoney({ failures }: Sent, rows: readonly Row[]): string[] {
  const charged = rows.filter(({ costNanoUsd }) => costNanoUsd > 0);
  const lies = failures.flatMap((failure) =>
    charged
      .filter((row) => tellsFree(failure, row))
      .map(
        ({ id, costNanoUsd }) =>
          `${id} cost ${costNanoUsd} nano-USD, and its caller was told HTTP ${failure.status}: ${failure.message}`,
      ),
  );
  return [...new Set(lies)];
}

/** By its words of anything that was accepted by then, by its status of what the call itself has made. */
function tellsFree({ call, status, message, askedAt, answeredAt }: Failure, { createdAt }: Row): boolean {
  if (createdAt > answeredAt) return false;
  return FREE.test(message) || (call === 'post' && FREE_STATUSES.includes(status) && createdAt >= askedAt);
}
