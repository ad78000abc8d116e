export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds by the clock. */
  readonly dur?: number;
  /** Microseconds of a processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const MAIN_THREAD = 'CrRendererMain';
const TASKS = ['RunTask', 'ThreadControllerImpl::RunTask'];

/** The longest task of the pages' main threads, in milliseconds: by the clock, and what it took of a processor. */
export function longestTask(events: readonly TraceEvent[]): { wallMs: number; processorMs: number } {
  const threads = new Set(events.filter(isMainThreadName).map(threadOf));
  const tasks = events.filter((event) => TASKS.includes(event.name) && threads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('the trace has no tasks of a page');
  return {
    wallMs: longest(tasks, ({ dur = 0 }) => dur) / 1000,
    processorMs: longest(tasks, ({ tdur = 0 }) => tdur) / 1000,
  };
}

function longest(tasks: readonly TraceEvent[], microsecondsOf: (task: TraceEvent) => number): number {
  return tasks.reduce((most, task) => Math.max(most, microsecondsOf(task)), 0);
}

function isMainThreadName({ name, ph, args }: TraceEvent): boolean {
  return ph === 'M' && name === 'thread_name' && args?.name === MAIN_THREAD;
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`;
}
