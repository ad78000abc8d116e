import { type AppError, asAppError } from '../../errors.ts';
import { bodySchema } from '../contract.ts';
import type { Given, Hook } from '../reply.ts';
import { toInput } from '../to-input.ts';
import { fallbackMode } from './createOcr.ts';

const MAX_ITEMS = 20;
const ITEM = /^items\[(\d+)\][.:]? ?/;
/** Stands where an item broke the contract, so that the others can be looked at. */
const SOUND = { engine: 'x', input: { type: 'base64', data_base64: '' } } as const;
const refusals = new WeakMap<object, Map<number, AppError>>();

/** `POST /v1/ocr/batch`: an item that breaks a rule is rejected by itself, the others run. */
export const createOcrBatch: Hook = {
  salvage(given, check) {
    const refused = new Map<number, AppError>();
    for (let rest = given; ; ) {
      try {
        const call = check(rest);
        refusals.set(call.body as object, refused); // the envelope is an object by now
        return call;
      } catch (error) {
        const problem = asAppError(error);
        const index = Number(ITEM.exec(problem.message)?.[1] ?? Number.NaN);
        if (!hasItem(rest, index) || refused.has(index)) throw error;
        refused.set(index, problem);
        rest = { ...rest, body: withSound(rest.body as { items: unknown[] }, index) };
      }
    }
  },

  variables(call) {
    const refused = refusals.get(call.body as object) ?? new Map<number, AppError>();
    const { input, unknown } = toInput(bodySchema(call.operation) ?? {}, call.body);
    const { items } = input as { items: Record<string, unknown>[] }; // the contract says so
    return {
      items: items.map((item, index) => {
        const problem = refused.get(index);
        if (problem) {
          const message = problem.message.replace(ITEM, '') || problem.message;
          return { refusal: { code: problem.code, message } };
        }
        const request = { ...item, fallback: fallbackMode(item['fallback']) };
        return { request, unknownFields: [...outer(unknown), ...unknownOf(unknown, index)] };
      }),
    };
  },

  slow: () => true,
};

function hasItem({ body }: Given, index: number): boolean {
  const items = (body as { items?: unknown } | null)?.items;
  return Array.isArray(items) && items.length <= MAX_ITEMS && Number.isInteger(index) && index < items.length;
}

function withSound(body: { items: unknown[] }, index: number): object {
  return { ...body, items: body.items.map((item, at) => (at === index ? structuredClone(SOUND) : item)) };
}

/** Unknown fields beside `items`: every item's answer names them. */
function outer(unknown: readonly string[]): string[] {
  return unknown.filter((path) => !path.startsWith('items['));
}

function unknownOf(unknown: readonly string[], index: number): string[] {
  const prefix = `items[${index}].`;
  return unknown.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
}
