/** What `/metrics` says, parsed as far as tests need it. */
export interface Metrics {
  /** Of a series: its value; null for one that is not there. Labels in any order. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | null;
  /** Sum over the series of a name, whatever their other labels. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
  /** Every family with its type and its help. */
  readonly families: readonly Family[];
  readonly samples: readonly Sample[];
}

interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the Prometheus text format. Throws for a line that is none of it. */
export function readMetrics(text: string): Metrics {
  const lines = text.split('\n').filter((line) => line !== '');
  const helps = new Map(lines.flatMap((line) => pair(/^# HELP (\w+) (.+)$/.exec(line))));
  const families = lines.flatMap((line) =>
    pair(/^# TYPE (\w+) (\w+)$/.exec(line)).map(([name, type]) => ({ name, type, help: helps.get(name) ?? '' })),
  );
  const samples = lines.filter((line) => !line.startsWith('#')).map(sampleOf);
  const matching = (name: string, labels: Readonly<Record<string, string>>) =>
    samples.filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
  return {
    families,
    samples,
    value: (name, labels = {}) => matching(name, labels)[0]?.value ?? null,
    sum: (name, labels = {}) => matching(name, labels).reduce((total, { value }) => total + value, 0),
  };
}

function pair(match: RegExpExecArray | null): [string, string][] {
  return match ? [[match[1] ?? '', match[2] ?? '']] : [];
}

function sampleOf(line: string): Sample {
  const [, name = '', list = '', number = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === '') throw new Error(`no line of the Prometheus format: ${line}`);
  const labels = [...list.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, value]);
  return { name, labels: Object.fromEntries(labels), value: Number(number.replace('Inf', 'Infinity')) };
}
