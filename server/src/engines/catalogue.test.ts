import { expect, it } from 'vitest';
import { BUILT_IN } from './built-in.ts';
import { readEntry } from './engines-file.ts';
import { makeCatalogue } from './make-catalogue.ts';

const OPTIONS = { secrets: { KEY: 'secret' }, cores: 1, engineLimitMs: 1000 };
const plan = { name: 'Plan', provider: 'plan.invalid', adapter: 'openai', model: 'plan', price_per_page_usd: 0.01 };

it('shows announced engines beside the configured ones, as coming soon whatever they have', () => {
  const catalogue = makeCatalogue(BUILT_IN, OPTIONS);
  catalogue.announce([
    { ...plan, id: 'plan', base_url: 'http://127.0.0.1:9/v1', api_key_env: 'KEY', probe: true },
    { ...plan, id: 'tesseract' },
  ]);
  expect(catalogue.engines).toEqual([...catalogue.configured, ...catalogue.announced]);
  expect(catalogue.announced).toMatchObject([{ id: 'plan', status: 'coming_soon', probe: false, apiKey: null }]);
  expect(catalogue.require('plan')).toBe(catalogue.announced[0]);
  expect(catalogue.require('tesseract').name).not.toBe('Plan');
  expect(['plan', 'tesseract'].map((id) => catalogue.isAnnounced({ id }))).toEqual([true, false]);
});

it('announces no others than the latest', () => {
  const catalogue = makeCatalogue(BUILT_IN, OPTIONS);
  catalogue.announce([{ ...plan, id: 'plan' }]);
  catalogue.announce([]);
  expect(catalogue.engines).toEqual(catalogue.configured);
  expect(catalogue.find('plan')).toBeUndefined();
});

it('reads an entry that is none as null', () => {
  expect(readEntry({ ...plan, id: 'plan' })).toEqual({ ...plan, id: 'plan' });
  for (const given of [null, 'plan', {}, { ...plan, id: 'no spaces here' }, { ...plan, id: 'plan', more: 1 }]) {
    expect(readEntry(given)).toBeNull();
  }
});
