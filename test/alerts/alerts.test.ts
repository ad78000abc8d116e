import { afterAll, expect, it } from 'vitest';
import { Caller } from '../house/caller.ts';
import { fails } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { LOOPBACK_ALLOWED, openOwnHouse } from '../house/house.ts';
import { MailServer } from '../house/mail-server.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { socketOf } from '../house/socket.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { type Received, verified, WebhookReceiver } from '../house/webhook-receiver.ts';

const mail = await MailServer.start();
const receiver = await WebhookReceiver.start();
const env = { ...LOOPBACK_ALLOWED, ALERTS_INTERVAL_MS: '200', SMTP_URL: mail.url, ALERTS_FROM: 'gateway@example.com' };
const house = await openOwnHouse({ engines: { reader: {}, other: {} }, env });
const operator = await house.account({ scopes: ['operator'] });
const owner = await house.account();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

const RULE = { kind: 'provider_auth', fireAfter: 2, recoverAfter: 1, cooldownMinutes: 0, enabled: true };
const CREATE_RULE =
  'mutation ($rule: AlertRuleInput!) { createAlertRule(rule: $rule) { id kind engineId mutedUntil } }';
const CREATE_CHANNEL = `mutation ($kind: AlertChannelKind!, $target: String!) {
  createAlertChannel(kind: $kind, label: "test", target: $target) { id target secret isActive } }`;
const OVERVIEW = `{ alertOverview { lastCheckAt checkEverySeconds rules { id kind severity }
  firing { id ruleId severity engineId title detail toldAt acknowledgedBy } ended { id endedAt endToldAt } } }`;

const CHECKED = 'select checked_at as "checkedAt" from alert_setting';

interface Overview {
  readonly lastCheckAt: string | null;
  readonly checkEverySeconds: number;
  readonly rules: readonly { id: string; kind: string; severity: string }[];
  readonly firing: readonly {
    id: string;
    ruleId: string;
    severity: string;
    engineId: string;
    title: string;
    detail: string;
  }[];
  readonly ended: readonly { id: string; endedAt: string }[];
}

async function asked<T>(query: string, variables: object = {}): Promise<T> {
  const { data, codes } = await ask<T>(operator.caller, query, variables);
  expect(codes).toEqual([]);
  return data;
}

async function overview(): Promise<Overview> {
  return (await asked<{ alertOverview: Overview }>(OVERVIEW)).alertOverview;
}

/** An engine whose provider refuses the key, or takes it again. */
async function refuseKey(engine: string, isRefused: boolean): Promise<void> {
  if (isRefused) house.engines.script(engine, fails(401, 'Incorrect API key provided', 'invalid_api_key'));
  else house.engines.reset();
  await owner.caller.ocr(await pictureBody(engine));
}

it('begins with four rules, which operators alone see and change', async () => {
  const { rules, checkEverySeconds } = await until('the first rules are there', async () => {
    const now = await overview();
    return now.rules.length > 0 && now;
  });
  expect(rules.map(({ kind }) => kind).toSorted()).toEqual([
    'engine_down',
    'error_rate',
    'provider_auth',
    'queue_age_seconds',
  ]);
  expect(checkEverySeconds).toBe(0.2);
  expect(rules.every(({ severity }) => severity === 'critical')).toBe(true);
  const refused = [
    await ask(owner.caller, OVERVIEW),
    await ask(owner.caller, CREATE_RULE, { rule: RULE }),
    await ask(owner.caller, '{ alerts { id } }'),
    await ask(owner.caller, '{ alertChannels { id } }'),
    await ask(owner.caller, 'mutation { muteAlerts(minutes: 5) { lastCheckAt } }'),
  ];
  expect(refused.map(({ codes }) => codes)).toEqual(refused.map(() => ['insufficient_scope']));
  for (const { id } of rules) await asked('mutation ($id: ID!) { deleteAlertRule(id: $id) }', { id });
  expect((await overview()).rules).toEqual([]);
});

it('tells of an alert once by every channel, of its end, and keeps what it found', async () => {
  const hook = receiver.at('/hook');
  const chat = receiver.at('/chat/secret');
  const made = await asked<{ createAlertChannel: { secret: string } }>(CREATE_CHANNEL, {
    kind: 'webhook',
    target: hook,
  });
  const slack = await asked<{ createAlertChannel: object }>(CREATE_CHANNEL, { kind: 'slack', target: chat });
  expect(slack.createAlertChannel).toMatchObject({
    target: expect.stringMatching(/^http:\/\/127.+\/…$/),
    secret: null,
  });
  await asked(CREATE_CHANNEL, { kind: 'email', target: 'a@example.com, b@example.com' });
  const { createAlertRule: rule } = await asked<{ createAlertRule: { id: string } }>(CREATE_RULE, { rule: RULE });
  await using socket = await socketOf(house.product.url, operator.apiKey);
  const live = socket.subscribe('subscription { alertsChanged { firing { title } } }');

  await refuseKey('reader', true);
  const [hooked] = await receiver.gets('/hook');
  const { secret } = made.createAlertChannel;
  const told = verified(hooked as Received, secret);
  const title = 'The provider of Scripted reader refuses the credentials';
  expect(told).toMatchObject({ event: 'alert', title, omitted: 0 });
  expect(told['alerts']).toMatchObject([{ state: 'firing', kind: 'provider_auth', engine: 'reader', ended_at: null }]);
  const [chatted] = await receiver.gets('/chat/secret');
  expect(JSON.parse(chatted?.bytes.toString() ?? '')).toMatchObject({ text: expect.stringMatching(`^\\*${title}\\*`) });
  const [mailed] = await mail.gets(1);
  expect(mailed).toMatchObject({ from: 'gateway@example.com', to: ['a@example.com', 'b@example.com'] });
  expect(mailed?.content.replaceAll(/\n\s+/g, ' ')).toContain(`Subject: [ocr-router] ${title}`);

  const { firing } = await overview();
  expect(firing).toMatchObject([{ ruleId: rule.id, engineId: 'reader', title, acknowledgedBy: null }]);
  await until('the socket tells it', () => JSON.stringify(live.events).includes(title));
  const id = firing[0]?.id ?? '';
  const ACKNOWLEDGE = 'mutation ($id: ID!) { acknowledgeAlert(id: $id, note: "on it") { acknowledgedBy note } }';
  const acknowledged = await asked<{ acknowledgeAlert: object }>(ACKNOWLEDGE, { id });
  expect(acknowledged.acknowledgeAlert).toMatchObject({ acknowledgedBy: expect.stringContaining('@'), note: 'on it' });

  await refuseKey('reader', false);
  const ended = await until('it is over', async () => (await overview()).ended.find((each) => each.id === id));
  expect(ended.endedAt).not.toBeNull();
  const { alertDeliveries } = await asked<{ alertDeliveries: { status: string; title: string }[] }>(
    '{ alertDeliveries { status title nextAttemptAt } }',
  );
  // The end waits for the minute in which what follows is told together.
  expect(alertDeliveries.filter(({ status }) => status === 'pending').map((each) => each.title)).toEqual(
    Array.from({ length: 3 }, () => `Recovered: ${title}`),
  );
  expect(receiver.received('/hook')).toHaveLength(1);
  await asked('mutation ($id: ID!) { deleteAlertRule(id: $id) }', { id: rule.id });
});

it('tries a channel out; one that is wrong says so, and harms no other', async () => {
  const TEST = 'mutation ($id: ID!) { testAlertChannel(id: $id) { id event status title } }';
  const channel = async (kind: string, target: string) =>
    (await asked<{ createAlertChannel: { id: string } }>(CREATE_CHANNEL, { kind, target })).createAlertChannel.id;
  const flaky = await channel(
    'webhook',
    receiver.at('/flaky', (nth) => ({ status: nth === 1 ? 500 : 200 })),
  );
  const hanging = await channel('slack', receiver.at('/hanging', 'hang'));
  const nobody = await channel('email', 'refused@example.com');
  for (const id of [hanging, nobody, flaky]) await asked(TEST, { id });

  const [first, second] = await receiver.gets('/flaky', 2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.bytes).toEqual(first?.bytes);
  const states = await until('their ends are written down', async () => {
    const { alertChannels } = await asked<{ alertChannels: { id: string; lastStatus: string; lastError: string }[] }>(
      '{ alertChannels { id waiting lastStatus lastError } }',
    );
    const of = (id: string) => alertChannels.find((each) => each.id === id);
    return of(flaky)?.lastStatus === 'delivered' && of(nobody)?.lastError && { flaky: of(flaky), nobody: of(nobody) };
  });
  expect(states).toEqual({
    flaky: { id: flaky, waiting: 0, lastStatus: 'delivered', lastError: null },
    nobody: { id: nobody, waiting: 1, lastStatus: null, lastError: 'The mail server answered 550.' },
  });
  for (const id of [flaky, hanging, nobody]) await asked('mutation ($id: ID!) { deleteAlertChannel(id: $id) }', { id });
});

it('tells a channel of its kinds alone, and signs with the former secret, too, after a change', async () => {
  const CREATE = `mutation ($kind: AlertChannelKind!, $target: String!, $kinds: [AlertKind!]) {
    createAlertChannel(kind: $kind, label: "test", target: $target, kinds: $kinds) { id secret kinds } }`;
  interface Made {
    readonly createAlertChannel: { readonly id: string; readonly secret: string; readonly kinds: string[] | null };
  }
  const channel = async (path: string, kinds: string[], kind = 'webhook') =>
    (await asked<Made>(CREATE, { kind, target: receiver.at(path), kinds })).createAlertChannel;
  const mine = await channel('/mine', ['provider_auth', 'provider_auth']);
  const others = await channel('/others', ['engine_down', 'queue_depth']);
  const chat = await channel('/kinds-chat', [], 'slack');
  expect([mine.kinds, others.kinds, chat.kinds]).toEqual([['provider_auth'], ['engine_down', 'queue_depth'], null]);
  const { createAlertRule: rule } = await asked<{ createAlertRule: { id: string } }>(CREATE_RULE, {
    rule: { ...RULE, engineId: 'other', fireAfter: 1 },
  });
  await refuseKey('other', true);
  const [told] = await receiver.gets('/mine');
  expect(verified(told as Received, mine.secret)).toMatchObject({ alerts: [{ kind: 'provider_auth' }], omitted: 0 });
  const LIST = 'query ($id: ID!) { alertDeliveries(channelId: $id) { id } }';
  expect(await asked(LIST, { id: others.id })).toEqual({ alertDeliveries: [] });
  await refuseKey('other', false);
  await until('it is over', async () => (await overview()).firing.length === 0);
  await asked('mutation ($id: ID!) { deleteAlertRule(id: $id) }', { id: rule.id });

  const ROTATE = 'mutation ($id: ID!) { rotateAlertChannelSecret(id: $id) { secret previousSecretUntil } }';
  const { rotateAlertChannelSecret: turned } = await asked<{ rotateAlertChannelSecret: Record<string, string> }>(
    ROTATE,
    {
      id: mine.id,
    },
  );
  expect(turned).toEqual({ secret: expect.stringMatching(/^whsec_/), previousSecretUntil: expect.any(String) });
  expect(turned['secret']).not.toBe(mine.secret);
  await asked('mutation ($id: ID!) { testAlertChannel(id: $id) { id } }', { id: mine.id });
  const test = await until('the test has come', () =>
    receiver.received('/mine').find(({ bytes }) => bytes.includes('alert.test')),
  );
  for (const secret of [turned['secret'] ?? '', mine.secret]) {
    expect(verified(test as Received, secret)).toMatchObject({ event: 'alert.test' });
  }
  await asked(ROTATE, { id: mine.id });
  await asked('mutation ($id: ID!) { testAlertChannel(id: $id) { id } }', { id: mine.id });
  const again = await until('the second test has come', () =>
    receiver.received('/mine').find(({ bytes }) => bytes.includes('alert.test') && !bytes.equals(test.bytes)),
  );
  for (const secret of [turned['secret'] ?? '', mine.secret]) expect(verified(again, secret)).toBeDefined();
  const all = await asked('mutation ($id: ID!) { updateAlertChannel(id: $id, kinds: []) { kinds } }', {
    id: others.id,
  });
  expect(all).toEqual({ updateAlertChannel: { kinds: null } });
  expect((await ask(operator.caller, ROTATE, { id: chat.id })).codes).toEqual(['invalid_request']);
  for (const { id } of [mine, others, chat]) await asked('mutation ($id: ID!) { deleteAlertChannel(id: $id) }', { id });
});

it('tells how severe an alert is; who changes a rule and says nothing of it leaves it', async () => {
  const hook = receiver.at('/severity');
  const { createAlertChannel: channel } = await asked<{ createAlertChannel: { id: string; secret: string } }>(
    CREATE_CHANNEL,
    { kind: 'webhook', target: hook },
  );
  const rule = { ...RULE, engineId: 'other', fireAfter: 1 };
  const { createAlertRule: made } = await asked<{ createAlertRule: { id: string } }>(CREATE_RULE, {
    rule: { ...rule, severity: 'warning' },
  });
  const UPDATE =
    'mutation ($id: ID!, $rule: AlertRuleInput!) { updateAlertRule(id: $id, rule: $rule) { severity fireAfter } }';
  expect(await asked(UPDATE, { id: made.id, rule: { ...rule, fireAfter: 2 } })).toEqual({
    updateAlertRule: { severity: 'warning', fireAfter: 2 },
  });
  await refuseKey('other', true);
  const [told] = await receiver.gets('/severity');
  expect(verified(told as Received, channel.secret)).toMatchObject({
    title: 'Warning: The provider of Scripted other refuses the credentials',
    alerts: [{ severity: 'warning', title: 'The provider of Scripted other refuses the credentials' }],
  });
  expect((await overview()).firing).toMatchObject([{ severity: 'warning' }]);
  await asked(UPDATE, { id: made.id, rule: { ...rule, severity: 'info' } });
  await until('the alert is as its rule', async () => (await overview()).firing[0]?.severity === 'info');
  await refuseKey('other', false);
  await until('it is over', async () => (await overview()).firing.length === 0);
  const { alerts } = await asked<{ alerts: object[] }>('{ alerts(limit: 1) { severity } }');
  expect(alerts).toEqual([{ severity: 'info' }]);
  await asked('mutation ($id: ID!) { deleteAlertRule(id: $id) }', { id: made.id });
  await asked('mutation ($id: ID!) { deleteAlertChannel(id: $id) }', { id: channel.id });
});

it('keeps how an alert ended, and calls none recovered that is no longer watched', async () => {
  const REMOVE = 'mutation ($id: ID!) { deleteAlertRule(id: $id) }';
  const UPDATE = 'mutation ($id: ID!, $rule: AlertRuleInput!) { updateAlertRule(id: $id, rule: $rule) { id } }';
  const rule = { ...RULE, engineId: 'other', fireAfter: 1 };
  const latest = async () =>
    (await asked<{ alerts: { ruleId: string; endedBy: string | null }[] }>('{ alerts(limit: 1) { ruleId endedBy } }'))
      .alerts[0];
  await refuseKey('other', true);
  const ways: Record<string, (id: string) => Promise<unknown>> = {
    rule_changed: (id) => asked(UPDATE, { id, rule: { ...rule, engineId: 'reader' } }),
    rule_switched_off: (id) => asked(UPDATE, { id, rule: { ...rule, enabled: false } }),
    rule_removed: (id) => asked(REMOVE, { id }),
    recovery: () => refuseKey('other', false),
  };
  const found: Record<string, object | undefined> = {};
  for (const [way, end] of Object.entries(ways)) {
    const { createAlertRule: made } = await asked<{ createAlertRule: { id: string } }>(CREATE_RULE, { rule });
    await until('it fires', async () => (await overview()).firing.some(({ ruleId }) => ruleId === made.id));
    expect(await latest()).toEqual({ ruleId: made.id, endedBy: null });
    await end(made.id);
    await until('it is over', async () => (await overview()).firing.length === 0);
    found[way] = { ...(await latest()), ruleId: 'its own' };
    if (way !== 'rule_removed') await asked(REMOVE, { id: made.id });
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(ways).map((way) => [way, { ruleId: 'its own', endedBy: way }])));
});

it('refuses channels that lead inside, and writes no URL into the audit log', async () => {
  const inside = await ask(operator.caller, CREATE_CHANNEL, { kind: 'webhook', target: 'http://10.0.0.1/hook' });
  expect(inside.codes).toEqual(['invalid_request']);
  const { auditLog } = await asked<{ auditLog: { nodes: unknown[] } }>(
    '{ auditLog(first: 100) { nodes { action details } } }',
  );
  const text = JSON.stringify(auditLog);
  expect(text).toContain('createAlertChannel');
  expect(text).not.toContain('/chat/secret');
});

it('says what a rule would have told, or that nothing is kept of it', async () => {
  const PREVIEW = 'query ($rule: AlertRuleInput!) { alertPreview(rule: $rule) { days fired { at } unknown } }';
  const known = await asked<{ alertPreview: object }>(PREVIEW, {
    rule: { ...RULE, kind: 'error_rate', threshold: 0.5 },
  });
  expect(known.alertPreview).toEqual({ days: 7, fired: [], unknown: null });
  const unknown = await asked<{ alertPreview: { unknown: string } }>(PREVIEW, { rule: RULE });
  expect(unknown.alertPreview.unknown).toMatch(/^No history/);
});

it('shows callers what they had of it, and nothing of the operator’s', async () => {
  const down = { ...RULE, kind: 'engine_down', engineId: 'other', fireAfter: 1 };
  const { createAlertRule: rule } = await asked<{ createAlertRule: { id: string } }>(CREATE_RULE, { rule: down });
  const incidents = async () =>
    (await house.stranger.get<{ data: { ended_at: string | null }[] }>('/v1/incidents')).body;
  await refuseKey('other', true);
  const begun = await until('it is an incident', async () => (await incidents()).data.length > 0 && incidents());
  expect(begun).toEqual({
    object: 'list',
    data: [
      {
        ...{ id: expect.stringMatching(/^alt_/), engine_id: 'other', engine_name: 'Scripted other', impact: 'down' },
        ...{ summary: 'Scripted other did not take requests.', began_at: expect.any(String), ended_at: null },
      },
    ],
  });
  await refuseKey('other', false);
  await until('the incident is over', async () => (await incidents()).data[0]?.ended_at != null);
  await asked('mutation ($id: ID!) { deleteAlertRule(id: $id) }', { id: rule.id });
});

it('watches what the doctor finds', async () => {
  const rule = { ...RULE, kind: 'doctor_failed', fireAfter: 1 };
  await asked(CREATE_RULE, { rule });
  await runSql(house.databaseUrl, 'update wallet set spent = spent + 1 where account_id = $1', [owner.accountId]);
  expect((await house.admin.doctor()).ok).toBe(false);
  const { firing } = await until('the doctor’s finding is told', async () => {
    const now = await overview();
    return now.firing.length > 0 && now;
  });
  expect(firing).toMatchObject([{ title: 'The doctor found a problem', engineId: null }]);
  expect(firing[0]?.detail).toContain('totals equal their rows');
  await runSql(house.databaseUrl, 'update wallet set spent = spent - 1 where account_id = $1', [owner.accountId]);
  expect((await house.admin.doctor()).ok).toBe(true);
  await until('it is over', async () => (await overview()).firing.length === 0);
  await asked('mutation ($id: ID!) { deleteAlertRule(id: $id) }', { id: firing[0]?.ruleId });
});

it('is checked by one process for all, and by another one when that ends', async () => {
  const options = { databaseUrl: house.databaseUrl, engines: ['reader', 'other'].map((id) => house.engines.entry(id)) };
  await using second = await hostProduct({ ...options, env: { ...env, ALERTS_INTERVAL_MS: '1000' } });
  const seen = receiver.at('/one');
  await asked(CREATE_CHANNEL, { kind: 'webhook', target: seen });
  await asked(CREATE_RULE, { rule: { ...RULE, engineId: 'other' } });
  await refuseKey('other', true);
  await receiver.gets('/one');
  await house.product.kill();

  const [atDeath] = await readSql<{ checkedAt: Date }>(house.databaseUrl, CHECKED);
  const survivor = new Caller(second.url, operator.apiKey);
  const { alertOverview } = await until('the other process checks', async () => {
    const { data } = await ask<{ alertOverview: Overview }>(survivor, OVERVIEW);
    return new Date(data.alertOverview.lastCheckAt ?? 0) > (atDeath?.checkedAt ?? new Date()) && data;
  });
  expect(alertOverview.firing).toMatchObject([{ engineId: 'other' }]);
  expect(receiver.received('/one')).toHaveLength(1);
});
