import { AppError } from '../../platform/errors.ts';
import { bodySchema } from '../contract/contract.ts';
import { sentenceOf } from '../contract/problem.ts';
import type { Given, Hook, Refusal } from '../contract/reply.ts';
import { toInput } from '../contract/to-input.ts';
import { fallbackMode } from './createOcr.ts';

const MAX_ITEMS = 20;
/** A valid item, put in the place of one that broke the contract, so that the others can be checked. */
const SOUND = { engine: 'x', input: { type: 'base64', data_base64: '' } } as const;

/** `POST /v1/ocr/batch`: an item that breaks a rule is rejected by itself, the others run. */
export const createOcrBatch: Hook = {
  salvage(given, check) {
    const refusals = new Map<number, Refusal>();
    for (let rest = given; ; ) {
      try {
        return { ...check(rest), refusals };
      } catch (error) {
        const broken = brokenItem(error);
        if (!broken || !hasItem(rest, broken.index) || refusals.has(broken.index)) throw error;
        refusals.set(broken.index, broken.refusal);
        rest = { ...rest, body: withSound(rest.body as { items: unknown[] }, broken.index) };
      }
    }
  },

  variables(call) {
    const { input, unknown } = toInput(bodySchema(call.operation) ?? {}, call.body);
    const { items } = input as { items: Record<string, unknown>[] }; // the contract says so
    return {
      items: items.map((item, index) => {
        const refusal = call.refusals?.get(index);
        if (refusal) return { refusal };
        const request = { ...item, fallback: fallbackMode(item['fallback']) };
        return { request, unknownFields: [...outer(unknown), ...unknownOf(unknown, index)] };
      }),
    };
  },

  slow: () => true,
};

/** The item that breaks the contract, and the refusal for its own answer; null where something else breaks it. */
function brokenItem(error: unknown): { index: number; refusal: Refusal } | null {
  if (!(error instanceof AppError) || !error.details.brokenRule) return null;
  const { path, rule } = error.details.brokenRule;
  const [list, index, ...inItem] = path;
  if (list !== 'items' || index === undefined) return null;
  const message = inItem.length > 0 ? sentenceOf({ path: inItem, rule }) : `${rule}.`;
  return { index: Number(index), refusal: { code: error.code, message } };
}

function hasItem({ body }: Given, index: number): boolean {
  const items = (body as { items?: unknown } | null)?.items;
  return Array.isArray(items) && items.length <= MAX_ITEMS && Number.isInteger(index) && index < items.length;
}

function withSound(body: { items: unknown[] }, index: number): object {
  return { ...body, items: body.items.map((item, at) => (at === index ? structuredClone(SOUND) : item)) };
}

/** Unknown fields beside `items`, which every item's answer names. */
function outer(unknown: readonly string[]): string[] {
  return unknown.filter((path) => !path.startsWith('items['));
}

function unknownOf(unknown: readonly string[], index: number): string[] {
  const prefix = `items[${index}].`;
  return unknown.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
}
