import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What stands in the way of people with other senses: what axe calls serious or worse, each with where it is. */
export async function barriers(page: Page, within = 'html'): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // In the page itself, in one go: the pages have no frames of other origins, and a second page for each look costs seconds.
    .setLegacyMode()
    .include(within)
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
