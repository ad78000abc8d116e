import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freePorts } from '../house/free-ports.ts';
import { type HouseAccount, LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';
import { Examples } from './examples.ts';
import { type Block, blocksOf, readPage, readPages } from './pages.ts';
import { differences, LANGUAGES, type Language, programEnv, runBlocks } from './run-blocks.ts';

const examples = await Examples.open();
const commands = await examples.commands();
const house = await openHouse({ env: LOOPBACK_ALLOWED });
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await examples[Symbol.asyncDispose]();
});

const MISSING: Readonly<Record<Language, string | null>> = {
  bash: hasCurl() ? null : 'bash, or curl of 7.84 or newer',
  ts: null,
  python: spawnSync('python3', ['--version']).status === 0 ? null : 'python3',
};

/** `%header{…}` came with 7.84. */
function hasCurl(): boolean {
  const [, major = 0, minor = 0] =
    /^curl (\d+)\.(\d+)/.exec(spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  return spawnSync('bash', ['--version']).status === 0 && Number(major) * 1000 + Number(minor) >= 7084;
}

async function settingsOf({ accountId, apiKey }: HouseAccount): Promise<Record<string, string>> {
  const operator = await house.admin.createKey({ accountId, scopes: ['operator'] });
  return {
    OCR_ROUTER_URL: house.product.url,
    OCR_ROUTER_API_KEY: apiKey,
    OCR_ROUTER_TOKEN: operator.api_key,
    WEBHOOK_URL: receiver.at('/hooks/ocr'),
    PATH: `${commands}${delimiter}${process.env['PATH']}`,
  };
}

/** What a block prints, beside what the page says that it prints. */
function wrongAnswers(all: readonly Block[], printed: ReadonlyMap<Block, string>): string[] {
  return all.flatMap((answer, index) => {
    const block = all[index - 1];
    if (answer.role !== 'answer' || !block || !printed.has(block)) return [];
    const text = (printed.get(block) ?? '').trim();
    const found =
      answer.language === 'json'
        ? differences(JSON.parse(answer.code), JSON.parse(text))
        : differences(answer.code.trim(), text);
    return found.map((difference) => `${answer.page}:${answer.line} ${difference}`);
  });
}

const cases = readPages().flatMap((page) =>
  LANGUAGES.flatMap((language) => {
    const all = blocksOf(page);
    const run = all.filter((block) => block.role === 'run' && block.language === language);
    return run.length === 0 ? [] : [{ page: page.path, language, all, run }];
  }),
);
for (const language of LANGUAGES) {
  if (MISSING[language]) console.warn(`skipped: the ${language} blocks, because there is no ${MISSING[language]}`);
}

it('there is something to run', () => expect(cases.length).toBeGreaterThan(10));

it('answers follow what prints them', () => {
  const blocks = readPages().flatMap(blocksOf);
  const alone = blocks.filter(({ role }, index) => role === 'answer' && blocks[index - 1]?.role !== 'run');
  expect(alone.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

it.each(cases.filter(({ language }) => !MISSING[language]))(
  '$page runs in $language',
  async ({ language, all, run }) => {
    const account = await house.account();
    const folder = await examples.folder();
    const printed = await runBlocks(language, run, { folder, env: await settingsOf(account) });
    expect(wrongAnswers(all, printed)).toEqual([]);
  },
);

const receivers = blocksOf(readPage('docs/webhooks.md')).filter(({ role }) => role === 'receiver');
it.each(receivers.filter(({ language }) => !MISSING[language as Language]))(
  'the receiver in $language takes what the gateway has signed, and nothing else',
  async ({ language, code }) => {
    const account = await house.account();
    const { signing_secret: secret } = await house.admin.showAccount(account.accountId);
    const folder = await examples.folder();
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}/`;
    const [file, program] = language === 'ts' ? ['receiver.ts', process.execPath] : ['receiver.py', 'python3'];
    await writeFile(join(folder, file), code);
    const env = programEnv({ PORT: String(port), OCR_WEBHOOK_SECRET: secret });
    const child = spawn(program, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    try {
      const forged = await until('the receiver answers', () =>
        fetch(url, { method: 'POST', body: '{}' }).catch(() => null),
      );
      expect(forged.status).toBe(400);
      const body = await pictureBody('reader', { mode: 'async', webhook_url: url });
      const { request_id } = (await account.caller.ocr(body)).body;
      await until('the receiver has verified it', () => printed.includes(request_id));
    } finally {
      child.kill('SIGKILL');
    }
  },
);

it('SQL of the pages runs on the database of the service', async () => {
  const blocks = readPages()
    .flatMap(blocksOf)
    .filter(({ language, role }) => language === 'sql' && role === 'run');
  expect(blocks).not.toEqual([]);
  for (const { code } of blocks) await runSql(house.product.databaseUrl, code);
});
