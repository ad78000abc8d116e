import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@ocr-router/client';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuses } from '../house/engine-answers.ts';
import { openHouse } from '../house/house.ts';
import { pdfOfPages } from '../house/page-sizes.ts';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';
import { FailingWay } from './failing-way.ts';
import { type Outcome, runScenario, type Scenario, type Site } from './scenarios.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SCENARIOS = JSON.parse(await readFile(join(ROOT, 'sdk/scenarios.json'), 'utf8')) as Scenario[];
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PYTHON = spawnSync('python3', ['--version']).status === 0;
if (!PYTHON) console.warn('skipped: the Python client, because there is no python3');

const house = await openHouse({ engines: { reader: {}, refuser: {} } });
house.engines.script('refuser', refuses('I would rather not.'));
const folder = await mkdtemp(join(tmpdir(), 'ocr-clients-'));
const busy = await FailingWay.open(house.product.url, 'busy');
const broken = await FailingWay.open(house.product.url, 'broken');
const urls = { direct: house.product.url, busy: busy.url, broken: broken.url };

afterAll(async () => {
  await busy[Symbol.asyncDispose]();
  await broken[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

beforeAll(async () => {
  for (const name of ['page.png', 'other.png', 'third.png', 'fourth.png']) {
    await writeFile(join(folder, name), await picture());
  }
  await writeFile(join(folder, 'three-pages.pdf'), pdfOfPages(3));
  await writeFile(join(folder, 'invoice.pdf'), makePdf([{ text: 'Invoice 0042\nTotal 118.00' }]));
  await writeFile(join(folder, 'no-document.png'), 'this is no picture');
});

/** A webhook as the gateway signs it. */
function signedWebhook() {
  const body = JSON.stringify({ event: 'ocr.completed', request_id: 'ocr_1' });
  const at = new Date();
  const headers = {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'Webhook-Signature': new Webhook(SECRET).sign('msg_1', at, body),
  };
  return { secret: SECRET, body, headers };
}

function check(scenario: Scenario, outcome: Outcome | undefined): void {
  expect(outcome?.error).toEqual(scenario.error);
  if (scenario.expect) expect({ ...(outcome?.result as object) }).toMatchObject(scenario.expect);
  if (scenario.costs !== undefined) expect(outcome?.costs).toBe(scenario.costs);
  if (scenario.retries !== undefined) expect(outcome?.retries).toBe(scenario.retries);
}

describe('the TypeScript client', () => {
  let site: Site;
  beforeAll(async () => {
    site = { urls, folder, apiKey: (await house.account()).apiKey };
  });

  it.each(SCENARIOS)('$name', async (scenario) => check(scenario, await runScenario(scenario, site)));

  it('verifies webhooks', () => {
    const { secret, body, headers } = signedWebhook();
    expect(verifyWebhook(secret, body, headers)).toMatchObject({ request_id: 'ocr_1' });
    expect(() => verifyWebhook(secret, `${body} `, headers)).toThrow();
  });
});

describe.skipIf(!PYTHON)('the Python client', () => {
  let outcomes: (Outcome & { refused?: boolean })[];
  beforeAll(async () => {
    const { apiKey } = await house.account();
    const source = join(ROOT, 'sdk/python/src');
    const child = spawn('python3', ['-B', join(import.meta.dirname, 'run-scenarios.py'), source]);
    child.stdin.end(JSON.stringify({ scenarios: SCENARIOS, urls, apiKey, folder, webhook: signedWebhook() }));
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(errors).toBe('');
    outcomes = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Outcome);
  });

  it.each(SCENARIOS)('$name', (scenario) =>
    check(
      scenario,
      outcomes.find(({ name }) => name === scenario.name),
    ),
  );

  it('verifies webhooks', () => {
    expect(outcomes.at(-1)).toMatchObject({ name: 'webhook', result: { request_id: 'ocr_1' }, refused: true });
  });
});
