import { expect, it } from 'vitest';
import type { ClaimedNotice } from './delivery-store.ts';
import { messageOf, slackBody, webhookBody } from './message.ts';
import type { AlertChange } from './notice.ts';

const CHANGE: AlertChange = {
  ...{ id: 'alt_1', state: 'firing', kind: 'error_rate', engineId: 'reader', title: 'Requests fail on <b>A & B</b>' },
  ...{ detail: 'why', figure: 0.5, threshold: 0.1, beganAt: '2026-11-20T00:00:00.000Z', endedAt: null },
};
const NOTICE: ClaimedNotice = {
  ...{
    id: 'ald_1',
    channelId: 'alc_1',
    kind: 'webhook',
    target: '',
    secret: null,
    former: { previous: null, previousUntil: null, older: null },
    event: 'alert',
  },
  ...{ changes: [CHANGE], omitted: 0, attempt: 1, fence: 1n, createdAt: new Date('2026-11-20T00:00:01Z') },
};

it('writes alerts for programs, in the spelling of the API', () => {
  expect(JSON.parse(webhookBody(NOTICE))).toEqual({
    event: 'alert',
    id: 'ald_1',
    title: 'Requests fail on <b>A & B</b>',
    text: 'why',
    alerts: [
      {
        ...{
          id: 'alt_1',
          state: 'firing',
          kind: 'error_rate',
          severity: 'critical',
          engine: 'reader',
          title: 'Requests fail on <b>A & B</b>',
        },
        ...{
          detail: 'why',
          figure: 0.5,
          threshold: 0.1,
          began_at: '2026-11-20T00:00:00.000Z',
          ended_at: null,
          ended_by: null,
        },
      },
    ],
    omitted: 0,
    created_at: '2026-11-20T00:00:01.000Z',
  });
});

it('says how severe each alert is', () => {
  const body = JSON.parse(webhookBody({ ...NOTICE, changes: [{ ...CHANGE, severity: 'info' }] }));
  expect(body).toMatchObject({ title: `Info: ${CHANGE.title}`, alerts: [{ severity: 'info' }] });
});

it('writes for people, with what would be markup written out', () => {
  expect(JSON.parse(slackBody(NOTICE))).toEqual({ text: '*Requests fail on &lt;b&gt;A &amp; B&lt;/b&gt;*\nwhy' });
  expect(JSON.parse(slackBody({ ...NOTICE, event: 'test', changes: [] })).text).toMatch(
    /^\*Test of an alert channel\*\n/,
  );
});

it('is of bounded length, and of one line in its title', () => {
  const long = { ...CHANGE, title: `a\r\nBcc: b ${'x'.repeat(300)}`, detail: 'y'.repeat(9000) };
  const { title, text } = messageOf({ ...NOTICE, changes: [long] });
  expect(title).toMatch(/^a Bcc: b x+…$/);
  expect([title.length, text.length]).toEqual([200, 8000]);
  const smiling = messageOf({
    ...NOTICE,
    changes: [{ ...CHANGE, title: '😀'.repeat(200), detail: `y${'😀'.repeat(5000)}` }],
  });
  expect([smiling.title.isWellFormed(), smiling.text.isWellFormed()]).toEqual([true, true]);
});
