import { expect, it } from 'vitest';
import type { ToldAlertFragment } from '../../documents.generated.ts';
import { newsOf } from './news.ts';

const AT = '2026-11-20T00:00:00.000Z';

function alert(id: string, more: Partial<ToldAlertFragment> = {}): ToldAlertFragment {
  return {
    ...{
      id,
      ruleId: 'alr_1',
      kind: 'engine_down',
      severity: 'warning',
      engineId: 'a b',
      title: `${id} is down`,
      detail: 'why',
    },
    ...{ toldAt: AT, endToldAt: null, endedBy: null, acknowledgedAt: null, ...more },
  };
}

it('tells at the beginning what fires and nobody looks after, and nothing that is over', () => {
  const told = {
    firing: [alert('a'), alert('b', { acknowledgedAt: AT }), alert('c', { toldAt: null })],
    ended: [alert('d', { endToldAt: AT })],
  };
  expect(newsOf(told, null).alerts).toEqual([
    {
      id: 'a',
      ruleId: 'alr_1',
      state: 'firing',
      severity: 'warning',
      title: 'a is down',
      detail: 'why',
      path: '/engines/a%20b?tab=errors',
    },
  ]);
});

it('tells each beginning and each end once', () => {
  const first = newsOf({ firing: [alert('a')], ended: [] }, new Set());
  expect(first.alerts).toMatchObject([{ id: 'a', state: 'firing' }]);
  expect(newsOf({ firing: [alert('a')], ended: [] }, first.known).alerts).toEqual([]);
  const over = { firing: [], ended: [alert('a', { endToldAt: AT })] };
  const second = newsOf(over, first.known);
  expect(second.alerts).toMatchObject([{ id: 'a', state: 'recovered' }]);
  expect(newsOf(over, second.known).alerts).toEqual([]);
});

it('tells an end that is no recovery as what it is', () => {
  const over = (endedBy: ToldAlertFragment['endedBy']) =>
    newsOf({ firing: [], ended: [alert('a', { endToldAt: AT, endedBy })] }, new Set()).alerts[0];
  expect(over('recovery')).toMatchObject({ state: 'recovered' });
  expect(over('rule_removed')).toMatchObject({ state: 'left', detail: 'Its rule was removed.' });
  expect(over('engine_removed')).toMatchObject({ state: 'left', detail: 'Its engine is no longer in the catalogue.' });
});

it('is silent as long as the gateway is', () => {
  const quiet = newsOf({ firing: [alert('a', { toldAt: null })], ended: [alert('b', { toldAt: null })] }, new Set());
  expect(quiet.alerts).toEqual([]);
  expect(newsOf({ firing: [alert('a')], ended: [] }, quiet.known).alerts).toMatchObject([{ id: 'a' }]);
});
