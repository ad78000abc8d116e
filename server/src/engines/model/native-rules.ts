import { isObject } from '../../platform/is-object.ts';
/**
 * Which of a caller's native_settings an adapter sends on. Names of fields within an object are written with a dot
 * (`options.temperature`); a name without one lets the whole value through.
 */
export interface NativeRules {
  /** What every caller may set: sampling, token limits (lowered to ours), options that leave document and price alone. */
  readonly passes: readonly string[];
  /** What an operator's `native_allow` cannot open either: document, model, messages, pages, answers, tools, addresses. */
  readonly reserved: readonly string[];
  /** It sends none on, whatever an operator's `native_allow` says. */
  readonly sendsNone?: boolean;
}

/** The adapter looks at each name itself, and warns of those that it leaves out. */
export type NativeJudgement = NativeRules | 'by the adapter';

interface Admitted {
  readonly native: Readonly<Record<string, unknown>>;
  /** The names that are left out, with dots where they stand within an object. */
  readonly ignored: readonly string[];
}

/** Tells what is sent on from what is not. `allowed` is the operator's own list for the engine. */
export function admitNative(
  rules: NativeJudgement,
  allowed: readonly string[],
  native: Readonly<Record<string, unknown>>,
): Admitted {
  if (rules === 'by the adapter' || Object.keys(native).length === 0) return { native, ignored: [] };
  const names = new Set(rules.sendsNone ? [] : [...rules.passes, ...allowed]);
  const reserved = new Set(rules.reserved.map(fold));
  return pick(native, '', {
    passes: (path) => names.has(path) && !reserved.has(fold(path)),
    opens: (path) => startsAny(names, `${path}.`) || startsAny(reserved, `${fold(path)}.`),
    isReserved: (path) => reserved.has(fold(path)),
  });
}

interface Questions {
  passes(path: string): boolean;
  /** Whether names within the object decide: some of them pass, or are reserved. */
  opens(path: string): boolean;
  isReserved(path: string): boolean;
}

function pick(object: Readonly<Record<string, unknown>>, parent: string, ask: Questions, open = false): Admitted {
  const entries: [string, unknown][] = [];
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    const path = parent === '' ? name : `${parent}.${name}`;
    const passes = !ask.isReserved(path) && (open || ask.passes(path));
    if (isObject(value) && ask.opens(path) && !ask.isReserved(path)) {
      const inner = pick(value, path, ask, passes);
      if (Object.keys(inner.native).length > 0 || passes) entries.push([name, inner.native]);
      ignored.push(...inner.ignored);
    } else if (passes) entries.push([name, value]);
    else ignored.push(path);
  }
  return { native: Object.fromEntries(entries), ignored };
}

/** The names of an operator's list that no list can open. */
export function reservedAmong(rules: NativeJudgement, allowed: readonly string[]): string[] {
  if (rules === 'by the adapter') return [];
  const reserved = new Set(rules.reserved.map(fold));
  return allowed.filter((name) => reserved.has(fold(name)));
}

/** Providers take several spellings of a name: `generation_config`, `generationConfig`, `Pages`. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll('_', '').replaceAll('-', '');
}

function startsAny(names: ReadonlySet<string>, start: string): boolean {
  for (const name of names) if (name.startsWith(start)) return true;
  return false;
}
