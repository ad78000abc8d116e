import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { within } from './within.ts';

/** What stands in the way of people with other senses: what axe calls serious or worse, each with where it is. */
export async function barriers(page: Page, part = 'html'): Promise<string[]> {
  const { violations } = await within(
    'axe has looked at the page',
    new AxeBuilder({ page })
      // In the page itself, in one go: the pages have no frames of other origins, and a second page for each look costs seconds.
      .setLegacyMode()
      .include(part)
      .options({ resultTypes: ['violations'] })
      .analyze(),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
