import { describe, expect, it } from 'vitest';
import { type Registration, routeDelivery } from './route-delivery.ts';

const success = { event: 'ocr.completed', isFailure: false } as const;
const failure = { event: 'ocr.completed', isFailure: true } as const;
const ping = { event: 'webhook.test', isFailure: false } as const;

function registration(id: string, more: Partial<Registration> = {}): Registration {
  return { id, secret: `secret of ${id}`, formerSecrets: [], isActive: true, events: ['ocr.completed'], ...more };
}

describe('routeDelivery', () => {
  it('signs with the account’s secret where the URL is no registration', () => {
    expect(routeDelivery(success, [], 'own')).toEqual({ kind: 'send', webhookId: null, secrets: ['own'] });
  });

  it('signs with the registration’s secret, and with it alone', () => {
    expect(routeDelivery(success, [registration('a')], 'own')).toEqual({
      kind: 'send',
      webhookId: 'a',
      secrets: ['secret of a'],
    });
  });

  it('sends nothing while the registration is not active', () => {
    const route = routeDelivery(failure, [registration('a', { isActive: false })], 'own');
    expect(route).toMatchObject({ kind: 'skip', webhookId: 'a', reason: expect.stringMatching(/not active/) });
    expect(routeDelivery(ping, [registration('a', { isActive: false })], 'own').kind).toBe('skip');
  });

  it('sends failures only to a registration for ocr.failed', () => {
    const failures = registration('a', { events: ['ocr.failed'] });
    expect(routeDelivery(success, [failures], 'own')).toMatchObject({ kind: 'skip', webhookId: 'a' });
    expect(routeDelivery(failure, [failures], 'own')).toMatchObject({ kind: 'send', webhookId: 'a' });
    expect(routeDelivery(ping, [failures], 'own').kind).toBe('send');
  });

  it('sends everything to a registration for ocr.completed', () => {
    for (const delivery of [success, failure]) {
      expect(routeDelivery(delivery, [registration('a')], 'own').kind).toBe('send');
      const both = registration('a', { events: ['ocr.completed', 'ocr.failed'] });
      expect(routeDelivery(delivery, [both], 'own').kind).toBe('send');
    }
  });

  it('signs with every active registration of the URL while a secret is being changed', () => {
    const route = routeDelivery(
      success,
      [registration('old'), registration('off', { isActive: false }), registration('new')],
      'own',
    );
    expect(route).toEqual({ kind: 'send', webhookId: 'old', secrets: ['secret of old', 'secret of new'] });
  });

  it('signs with former secrets beside the new one, as long as they are told', () => {
    const route = routeDelivery(success, [registration('a', { formerSecrets: ['former', 'older'] })], 'own');
    expect(route).toMatchObject({ secrets: ['secret of a', 'former', 'older'] });
  });
});
