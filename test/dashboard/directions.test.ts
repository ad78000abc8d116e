import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { says } from '../house/engine-answers.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { newPerson } from '../house/person.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { Visit } from '../house/visit.ts';

const HEBREW = 'הספרייה פתוחה בימי ראשון.';
const ENGLISH = 'The library is open on Sundays.';
/** To the side of what a line stands in, where a button may be; half a line is longer. */
const NEAR_PX = 100;

const missing = missingChromium();
const house = await sharedHouse('several');
const browser = missing === null ? await sharedChromium() : null;

describe.skipIf(browser === null)(`texts that run from right to left${missing ? ` (${missing})` : ''}`, () => {
  it('begin at the right, line by line, in each view of a request and in the playground', async () => {
    house.engines.script('reader', says(`${HEBREW}\n\n${ENGLISH}`));
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const { body } = await house.callerWith(api_key).ocr(await pictureBody());
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, `/requests/${body.request_id}`);
    await expectSides(page, 'The text');
    await page.getByText('Rendered', { exact: true }).click();
    await expectSides(page, 'The text as it is meant to be read');
    await page.getByText('By page', { exact: true }).click();
    await expectSides(page, 'Text of page 1');
    await visit.open('/playground');
    await page.getByRole('combobox', { name: 'Read with' }).click();
    await page.getByRole('option', { name: /Scripted reader/ }).click();
    await page.getByRole('button', { name: 'Use our sample' }).click();
    await page.getByRole('button', { name: 'Read it', exact: true }).click();
    await expectSides(page, 'Plain text');
    await page.getByRole('tab', { name: 'Markdown' }).click();
    await expectSides(page, 'As the engine wrote it');
    house.engines.reset();
  });
});

/** How near each line comes to the side that it begins at. */
async function expectSides(page: Page, label: string): Promise<void> {
  const place = page.getByLabel(label, { exact: true });
  await place.getByText(ENGLISH).first().waitFor();
  const gaps = await place.evaluate(
    (box, lines) => {
      const edges = box.getBoundingClientRect();
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      const found: number[] = [];
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const [nth, line] of lines.entries()) {
          const at = text.nodeValue?.indexOf(line) ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + line.length);
          const { left, right } = range.getBoundingClientRect();
          found[nth] = nth === 0 ? edges.right - right : left - edges.left;
        }
      }
      return found;
    },
    [HEBREW, ENGLISH],
  );
  expect(gaps, label).toHaveLength(2);
  for (const gap of gaps) expect(gap, label).toBeLessThan(NEAR_PX);
}
