/** What this reads of V8's CPU profile. */
export interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  /** The node of each sample, and the microseconds since the one before. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

export interface ModuleShare {
  readonly name: string;
  /** Of the time that was not idle, from 0 to 1. */
  readonly share: number;
}

const IDLE = '(idle)';

/** Self time by module, most first: a file of ours, a package of others, a part of Node, or what V8 itself does. */
export function modulesOf({ nodes, samples, timeDeltas }: Profile): ModuleShare[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? IDLE;
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  times.delete(IDLE);
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].map(([name, time]) => ({ name, share: time / all })).sort((a, b) => b.share - a.share);
}

function nameOf({ functionName, url }: CallFrame): string {
  if (url === '') return functionName || '(native)';
  const inner = url.split('/node_modules/').at(-1) ?? url;
  if (inner !== url)
    return inner
      .split('/')
      .slice(0, inner.startsWith('@') ? 2 : 1)
      .join('/');
  return url.split('/dist/').at(-1) ?? url;
}
