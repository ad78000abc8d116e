import pg from 'pg';

/** The message of node-postgres for an answer that is late, which `isOutage` knows. */
const GIVEN_UP = 'Query read timeout';

type Answered = (error: Error | null, result?: pg.QueryResult) => void;
/** The `query` of node-postgres, as far as it is called here. */
type Ask = (statement: unknown, values?: unknown, answered?: Answered) => unknown;

/**
 * Makes a client that gives a statement up when its answer takes longer than `answerMs`. node-postgres has `query_timeout` for
 * that, and wraps the callback in a function literal that it assigns to a property: V8 makes such functions among its old
 * objects, where each keeps what it knows of (the whole request) until the next collection of everything.
 */
export function clientWithin(answerMs: number): typeof pg.Client {
  return class extends pg.Client {
    /** `never`: the overloads of node-postgres say what it returns. */
    override query(...given: unknown[]): never {
      const ask = super.query.bind(this) as Ask; // one signature for all overloads
      return askWithin(answerMs, ask, given) as never;
    }
  };
}

function askWithin(answerMs: number, ask: Ask, [statement, ...more]: unknown[]): unknown {
  // Streams are seldom and long: node-postgres' own limit will do.
  if (isStream(statement)) return ask(Object.assign(statement, { query_timeout: answerMs }));
  const answered = more.find((one): one is Answered => typeof one === 'function');
  const values = Array.isArray(more[0]) ? more[0] : undefined;
  if (answered) return void ask(statement, values, onceWithin(answerMs, answered));
  return new Promise((resolve, reject) => {
    const end: Answered = (error, result) => (error ? reject(traced(error)) : resolve(result));
    ask(statement, values, onceWithin(answerMs, end));
  });
}

/** Whether a statement is a stream (COPY). */
function isStream(statement: unknown): statement is object {
  return typeof statement === 'object' && statement !== null && 'submit' in statement;
}

/** Wraps a callback so that it is called once: with the answer, or when that is late. A later answer is dropped. */
function onceWithin(answerMs: number, answered: Answered): Answered {
  let isOver = false;
  const end: Answered = (error, result) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(late);
    answered(error, result);
  };
  const late = setTimeout(() => end(new Error(GIVEN_UP)), answerMs);
  return end;
}

/** Gives the error the stack of the caller; it had that of the socket. */
function traced(error: Error): Error {
  Error.captureStackTrace(error);
  return error;
}
