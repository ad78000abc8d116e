import { afterAll, expect, it } from 'vitest';
import { fails } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const house = await openHouse({ env: { ALERTS_INTERVAL_MS: '200' } });
afterAll(() => house[Symbol.asyncDispose]());

const CREATE = 'mutation ($rule: AlertRuleInput!) { createAlertRule(rule: $rule) { id } }';
const FIRING = '{ alertOverview { firing { ruleId detail } } }';
const RULE = {
  kind: 'engine_down',
  engineId: 'reader',
  fireAfter: 1,
  recoverAfter: 1,
  cooldownMinutes: 0,
  enabled: true,
};

it('an alert says how calls fail, without the words of a provider, which may cite a page', async () => {
  const { caller: operator } = await house.account({ scopes: ['operator'] });
  const { caller } = await house.account();
  const made = await ask<{ createAlertRule: { id: string } }>(operator, CREATE, { rule: RULE });
  house.engines.script('reader', fails(500, 'cannot parse: kingfisher'));
  for (let call = 0; call < 5; call++) await caller.ocr(await pictureBody());
  const told = await until('it is told', async () => {
    const { data } = await ask<{ alertOverview: { firing: { ruleId: string; detail: string }[] } }>(operator, FIRING);
    return data.alertOverview.firing.find(({ ruleId }) => ruleId === made.data.createAlertRule.id);
  });
  expect(told.detail).toBe('The engine answered with HTTP 500: …');
  const citing = `select 1 from alert where detail like '%kingfisher%'`;
  expect(await readSql(house.databaseUrl, citing)).toEqual([]);
  const live = await ask<{ engine: { lastError: string } }>(operator, '{ engine(id: "reader") { lastError } }');
  expect(live.data.engine.lastError).toMatch(/500: cannot parse: kingfisher\.$/);
});
