import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { within } from './within.ts';

/** The short form: a browser reads it in half the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe calls serious or worse. */
const GRAVE: readonly unknown[] = ['serious', 'critical'];

/** What stands in the way of people with other senses: what is grave, or `all` that axe finds, each with where it is. */
export async function barriers(page: Page, part = 'html', { all = false } = {}): Promise<string[]> {
  const violations = await within('axe has looked at the page', look(page, part));
  const found = violations.filter(({ impact }) => all || GRAVE.includes(impact));
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Axe is handed over once a document: to read it costs as much as a look. The pages have no frames. */
async function look(page: Page, part: string): Promise<AxeResults['violations']> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (include) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run({ include: [include] }, { resultTypes: ['violations'] });
    return violations;
  }, part);
}
