import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { boundStatement, errorFrame, type Frame, FrameReader } from './postgres-frames.ts';
import { until } from './until.ts';

/**
 * What befalls a statement. `lose-reply`: it runs to its end, and the connection breaks before the answer arrives.
 * `silence`: it never arrives, and the connection stays open without a word. `hold`: it waits for `release()`.
 */
export type Mishap = 'lose-reply' | 'silence' | 'hold';

/** A mishap that waits for its statement. */
export interface Trap {
  /** How often it has struck. */
  readonly struck: number;
  /** Waits until it has struck so many times. */
  strikes(times?: number): Promise<void>;
  /** Strikes no more, and lets go what it holds. */
  release(): void;
}

/** Statements that are answered with an error instead of being run. */
export interface Refusal {
  /** How often one was. */
  readonly refused: number;
  /** They are run again. */
  release(): void;
}

interface ArmedTrap extends Trap {
  readonly statement: string;
  readonly mishap: Mishap;
  take(resume: () => void): boolean;
}

/**
 * A TCP proxy between the product and its PostgreSQL that can lose what a named prepared statement answers, fall silent,
 * and be away, or refuse. It speaks just enough of the protocol to know statements by their names.
 */
export class DatabaseProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sessions = new Set<Session>();
  readonly #traps = new Set<ArmedTrap>();
  readonly #seen = new Map<string, number>();
  readonly #refusals = new Set<{ statements: RegExp; error: Buffer; refused: number }>();
  #target: URL | null = null;
  #away = false;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (client) => this.#accept(client));
  }

  static async open(): Promise<DatabaseProxy> {
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DatabaseProxy(server);
  }

  /** The URL that leads to the database by way of this proxy. */
  urlTo(databaseUrl: string): string {
    this.#target = new URL(databaseUrl);
    const changed = new URL(databaseUrl);
    changed.hostname = '127.0.0.1';
    changed.port = String((this.#server.address() as AddressInfo).port); // TCP: always an AddressInfo
    return changed.href;
  }

  /** Lets something happen to the next `times` runs of a prepared statement. */
  trap(statement: string, mishap: Mishap, { times = 1 }: { times?: number } = {}): Trap {
    const held: (() => void)[] = [];
    let struck = 0;
    const trap: ArmedTrap = {
      statement,
      mishap,
      get struck() {
        return struck;
      },
      strikes: async (wanted = 1) => {
        await until(`${mishap} strikes ${statement} ${wanted} times`, () => struck >= wanted);
      },
      release: () => {
        this.#traps.delete(trap);
        for (const resume of held.splice(0)) resume();
      },
      take: (resume) => {
        if (struck >= times) return false;
        struck++;
        if (mishap === 'hold') held.push(resume);
        return true;
      },
    };
    this.#traps.add(trap);
    return trap;
  }

  /** Answers prepared statements of such names with an error of this SQLSTATE until it is released. */
  refuse(statements: RegExp, code: string): Refusal {
    const refusal = { statements, error: errorFrame(code, 'refused by the proxy'), refused: 0 };
    this.#refusals.add(refusal);
    return {
      get refused() {
        return refusal.refused;
      },
      release: () => void this.#refusals.delete(refusal),
    };
  }

  /** How often a prepared statement was sent. */
  seen(statement: string): number {
    return this.#seen.get(statement) ?? 0;
  }

  /** Cuts every connection and refuses new ones. */
  goAway(): void {
    this.#away = true;
    this.cut();
  }

  comeBack(): void {
    this.#away = false;
  }

  /** Cuts every connection; new ones are welcome. */
  cut(): void {
    for (const session of this.#sessions) session.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  #accept(client: Socket): void {
    if (this.#away || !this.#target) return void client.destroy();
    const { hostname: host, port } = this.#target;
    const server = connect({ host, port: Number(port || 5432), noDelay: true });
    const session = new Session(client, server, (statement, resume) => this.#meet(statement, resume));
    this.#sessions.add(session);
    session.onEnd(() => this.#sessions.delete(session));
  }

  #meet(statement: string, resume: () => void): Mishap | Buffer | null {
    this.#seen.set(statement, this.seen(statement) + 1);
    for (const refusal of this.#refusals) {
      if (!refusal.statements.test(statement)) continue;
      refusal.refused++;
      return refusal.error;
    }
    for (const trap of this.#traps) {
      if (trap.statement === statement && trap.take(resume)) return trap.mishap;
    }
    return null;
  }
}

/** One connection of the product, and the one behind it. */
class Session {
  readonly #client: Socket;
  readonly #server: Socket;
  /** An error to answer with, or what befalls the statement. */
  readonly #meet: (statement: string, resume: () => void) => Mishap | Buffer | null;
  readonly #held: Buffer[] = [];
  #state: 'open' | 'holding' | 'losing' | 'silent' | 'refusing' = 'open';
  #error: Buffer | null = null;

  constructor(client: Socket, server: Socket, meet: (statement: string, resume: () => void) => Mishap | Buffer | null) {
    this.#client = client;
    this.#server = server;
    this.#meet = meet;
    const requests = new FrameReader({ opens: true });
    const answers = new FrameReader({ opens: false });
    client.on('data', (chunk: Buffer) => {
      for (const frame of requests.read(chunk)) this.#request(frame);
    });
    server.on('data', (chunk: Buffer) => {
      for (const frame of answers.read(chunk)) this.#answer(frame);
    });
    for (const socket of [client, server]) {
      socket.on('error', () => this.destroy());
      socket.on('close', () => this.destroy());
    }
  }

  onEnd(listener: () => void): void {
    this.#client.once('close', listener);
  }

  destroy(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  #request(frame: Frame): void {
    if (this.#state === 'silent') return;
    const statement = this.#state === 'open' ? boundStatement(frame) : null;
    const mishap = statement === null ? null : this.#meet(statement, () => this.#resume());
    if (mishap instanceof Buffer) {
      this.#state = 'refusing';
      this.#error = mishap;
    }
    if (this.#state === 'refusing' && frame.type !== 'S') return;
    if (mishap === 'silence') {
      this.#state = 'silent';
      return;
    }
    if (mishap === 'hold') this.#state = 'holding';
    if (mishap === 'lose-reply') this.#state = 'losing';
    if (this.#state === 'holding') this.#held.push(frame.bytes);
    else this.#server.write(frame.bytes);
  }

  /** An answer that is lost is waited for to its end (`ReadyForQuery`): what it tells of is committed then. */
  #answer(frame: Frame): void {
    if (this.#state === 'silent') return;
    if (this.#state === 'losing') {
      if (frame.type === 'Z') this.destroy();
      return;
    }
    // The server was only asked to come to the end (`Sync`) of a statement that it was not given.
    if (this.#state === 'refusing' && frame.type === 'Z' && this.#error) {
      this.#client.write(this.#error);
      this.#state = 'open';
    }
    this.#client.write(frame.bytes);
  }

  #resume(): void {
    if (this.#state !== 'holding') return;
    this.#state = 'open';
    for (const bytes of this.#held.splice(0)) this.#server.write(bytes);
  }
}
