import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { within } from './within.ts';

/** What axe calls serious or worse. */
const GRAVE: readonly unknown[] = ['serious', 'critical'];

/** What stands in the way of people with other senses: what is grave, or `all` that axe finds, each with where it is. */
export async function barriers(page: Page, part = 'html', { all = false } = {}): Promise<string[]> {
  const { violations } = await within(
    'axe has looked at the page',
    new AxeBuilder({ page })
      // In the page itself, in one go: the pages have no frames of other origins, and a second page for each look costs seconds.
      .setLegacyMode()
      .include(part)
      .options({ resultTypes: ['violations'] })
      .analyze(),
  );
  const found = violations.filter(({ impact }) => all || GRAVE.includes(impact));
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
