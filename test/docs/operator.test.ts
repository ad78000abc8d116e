import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { filters } from '../house/engine-answers.ts';
import { type House, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { Examples } from './examples.ts';
import { type Block, blocksOf, readPages } from './pages.ts';
import { programEnv } from './run-blocks.ts';

const ENGINE = 'qwen-vl';
const MAKES_ACCOUNT = 'admin account create';
/** Where the pages put files, and what they call one. */
const PLACES = /(?<![\w.])\/(?:archives|backups|srv)\b|\bFILE\b/g;
/** A line of input for a command that asks. */
const INPUT = 'correct horse battery staple\n';
/** For the longest block: each of its eighteen lines starts a program. */
const COMMANDS_MS = 600_000;

const examples = await Examples.open();
const commands = await examples.commands();

/** Ids that a page calls ID, by the option before it. */
interface Ids {
  account: string;
  request: string;
  attempt: string;
}

/** A database with a service, which all blocks share. */
class Installation implements AsyncDisposable {
  readonly #house: House;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #ran = new Set<string>();

  private constructor(house: House, folder: string, env: Readonly<Record<string, string>>) {
    this.#house = house;
    this.#folder = folder;
    this.#env = env;
  }

  static async open(): Promise<Installation> {
    const folder = await examples.folder();
    await mkdir(join(folder, 'backups'));
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const house = await openHouse({
      engines: { [ENGINE]: { provider_cost_per_page_usd: null } },
      env: { SECRETS_KEY },
    });
    const ENGINES_FILE = join(folder, 'engines.json');
    await writeFile(ENGINES_FILE, JSON.stringify({ engines: [house.engines.entry(ENGINE)] }));
    const settings = { SECRETS_KEY, ENGINES_FILE, DATABASE_URL: house.databaseUrl };
    return new Installation(house, folder, { ...settings, PATH: `${commands}${delimiter}${process.env['PATH']}` });
  }

  /** What the pages take for granted, where a block does not make the account itself. */
  async account(): Promise<Ids> {
    return this.#began((await this.#house.account()).accountId);
  }

  /** One request that was charged, and one whose cost its provider has not told. */
  async #began(account: string): Promise<Ids> {
    const { api_key: key } = await this.#house.admin.createKey({ accountId: account });
    const caller = this.#house.callerWith(key);
    this.#house.engines.reset();
    const read = await caller.ocr(await pictureBody(ENGINE));
    expect(read.body.status).toBe('succeeded');
    this.#house.engines.script(ENGINE, filters());
    await caller.ocr(await pictureBody(ENGINE));
    const pending = await this.#house.admin.pendingBilling();
    const newest = pending.data.at(-1);
    return { account, request: read.body.request_id, attempt: newest?.attempt_id ?? '' };
  }

  /** Runs what no block before has run, a line at a time. */
  async run(code: string, given: Ids | null): Promise<void> {
    let ids = given;
    for (const line of code.trim().split('\n')) {
      const command = line.replace(/\s+#.*/, '');
      if (this.#ran.has(command)) continue;
      const printed = await this.#shell(this.#literal(line, ids));
      this.#ran.add(command);
      if (command.includes(MAKES_ACCOUNT)) ids = await this.#began(JSON.parse(printed).account_id);
    }
  }

  #literal(line: string, ids: Ids | null): string {
    return line
      .replace(/--(account|request|attempt) ID\b/g, (_all, name: keyof Ids) => {
        if (ids === null) throw new Error(`no account was made before: ${line}`);
        return `--${name} ${ids[name]}`;
      })
      .replace(PLACES, (place) => join(this.#folder, place));
  }

  /** A line that names a folder of data means the PostgreSQL inside. */
  async #shell(line: string): Promise<string> {
    const { DATABASE_URL = '', ...others } = this.#env;
    const env = programEnv(line.startsWith('DATA_DIR=') ? others : { ...others, DATABASE_URL });
    return new Promise((resolve, reject) => {
      const child = execFile('bash', ['-c', line], { cwd: this.#folder, env }, (error, stdout, stderr) =>
        error ? reject(new Error(`${line}\n${stdout}\n${stderr}`, { cause: error })) : resolve(stdout),
      );
      child.stdin?.on('error', () => undefined); // most do not read it
      child.stdin?.end(INPUT);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#house[Symbol.asyncDispose]();
  }
}

const makesAccount = ({ code }: Block) => code.includes(MAKES_ACCOUNT);
/** Last whoever makes an account: its block ends with many requests, which those before it need not copy and prove. */
const blocks = readPages()
  .flatMap(blocksOf)
  .filter(({ role }) => role === 'operator')
  .toSorted((a, b) => Number(makesAccount(a)) - Number(makesAccount(b)))
  .map((block) => ({ ...block, name: `${block.page}:${block.line}` }));

const installation = await Installation.open();
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await examples[Symbol.asyncDispose]();
});

it('are found', () => expect(blocks.length).toBeGreaterThan(4));

it.each(blocks)(
  'an operator runs $name',
  async (block) => installation.run(block.code, makesAccount(block) ? null : await installation.account()),
  COMMANDS_MS,
);
