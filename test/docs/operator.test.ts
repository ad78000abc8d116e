import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { adminCommand } from '../house/command.ts';
import { filters } from '../house/engine-answers.ts';
import { type House, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { Examples } from './examples.ts';
import { blocksOf, readPages } from './pages.ts';
import { programEnv } from './run-blocks.ts';

const ENGINE = 'qwen-vl';
const EMAIL = 'ann@example.com';
/** Where the pages put files, and what they call one. */
const PLACES = /(?<![\w.])\/(?:archives|backups|srv)\b|\bFILE\b/g;
/** A line of input for a command that asks. */
const INPUT = 'correct horse battery staple\n';
/** For the longest block: each of its eighteen lines starts a program. */
const COMMANDS_MS = 600_000;

const examples = await Examples.open();
const commands = await examples.commands();
afterAll(() => examples[Symbol.asyncDispose]());

/** Ids that a page calls ID, by the option before it. */
interface Ids {
  account: string;
  request: string;
  attempt: string;
}

/** A database with a service of its own: an account by another block's name would be in the way. */
class Installation implements AsyncDisposable {
  readonly #house: House;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #ids: Ids = { account: '', request: '', attempt: '' };

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

  /** What the page takes for granted, except where it makes the account itself. */
  async prepare(): Promise<void> {
    const { body } = await this.#admin('account', 'create', '--email', EMAIL, '--credit', '5');
    await this.#began(String(body['account_id']));
  }

  /** One request that was charged, and one whose cost its provider has not told. */
  async #began(account: string): Promise<void> {
    const { body } = await this.#admin('key', 'create', '--account', account);
    const caller = this.#house.callerWith(String(body['api_key']));
    const read = await caller.ocr(await pictureBody(ENGINE));
    expect(read.body.status).toBe('succeeded');
    this.#house.engines.script(ENGINE, filters());
    await caller.ocr(await pictureBody(ENGINE));
    const pending = await this.#admin<{ data: { attempt_id: string }[] }>('billing', 'pending');
    const [attempt] = pending.body.data;
    Object.assign(this.#ids, { account, request: read.body.request_id, attempt: attempt?.attempt_id ?? '' });
  }

  async run(line: string): Promise<void> {
    const printed = await this.#shell(this.#literal(line));
    if (line.includes('account create')) await this.#began((JSON.parse(printed) as { account_id: string }).account_id);
  }

  #literal(line: string): string {
    return line
      .replace(/--(account|request|attempt) ID\b/g, (_all, name: keyof Ids) => `--${name} ${this.#ids[name]}`)
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

  #admin<T = Record<string, unknown>>(...args: string[]) {
    return adminCommand<T>(args, this.#env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#house[Symbol.asyncDispose]();
  }
}

const blocks = readPages()
  .flatMap(blocksOf)
  .filter(({ role }) => role === 'operator')
  .map((block) => ({ ...block, name: `${block.page}:${block.line}` }));

it('are found', () => expect(blocks.length).toBeGreaterThan(4));

it.each(blocks)(
  'an operator runs $name',
  async ({ code }) => {
    await using installation = await Installation.open();
    if (!code.includes('account create')) await installation.prepare();
    for (const line of code.trim().split('\n')) await installation.run(line);
  },
  COMMANDS_MS,
);
