import type { Behaviour } from '../../server/src/engines/adapters/wires/scripted-provider.ts';
import type { Wire, WireCase } from '../../server/src/engines/adapters/wires/wire-type.ts';

/** One way in which a call of an engine can end. */
export interface Ending {
  readonly name: string;
  /** What the provider does; null where it has no such case. */
  behave(wire: Wire): Behaviour | null;
}

const CASES: Readonly<Record<WireCase, string>> = {
  badCredentials: '401 or what the provider has for a wrong key',
  rateLimited: '429, rate',
  noQuota: '429, quota, or what the provider has for no credit',
  serverError: '5xx',
  unreadable: '400, the picture cannot be read',
  filtered: '400, content filter',
  refused: 'refusal in the answer',
  proseRefusal: 'refusal in prose',
  truncated: 'truncated, with text',
  cutBeforeText: 'truncated, without text',
  empty: 'no text',
  loop: 'loop',
  noReason: 'text, no finish reason',
  unknownReason: 'text, unknown finish reason',
  ok: 'text',
};

/** In the order in which they are judged. */
export const ENDINGS: readonly Ending[] = [
  { name: 'transport failure', behave: () => ({ handle: (response) => response.destroy() }) },
  {
    name: 'transport failure within the answer',
    behave: () => ({
      handle: (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"', () => response.destroy());
      },
    }),
  },
  { name: 'timeout', behave: () => ({ handle: () => undefined }) },
  { name: 'not the shape of an answer', behave: () => ({ status: 200, body: '<html>' }) },
  ...Object.entries(CASES).map(([wireCase, name]) => ({
    name,
    behave: (wire: Wire) => wire.answers[wireCase as WireCase], // the keys of a record of them
  })),
];
