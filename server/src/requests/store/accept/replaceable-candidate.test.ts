import { expect, it } from 'vitest';
import type { Candidate } from './acceptance.ts';
import { ReplaceableCandidate } from './replaceable-candidate.ts';

const [FIRST, QUEUED] = [{ starts: true }, { starts: false }] as unknown as [Candidate, Candidate];
const LOCKED = async () => 'locked' as const;

function site(replacement: () => Candidate = () => QUEUED) {
  const replaceable = new ReplaceableCandidate(FIRST, replacement);
  const sent: Candidate[] = [];
  const send = (answer: () => Promise<'locked'>) =>
    replaceable.send((candidate) => {
      sent.push(candidate);
      return answer();
    });
  return { replaceable, sent, send };
}

it('changes while nothing is under way, or when the answer says that the wallet is locked', async () => {
  const between = site();
  between.replaceable.onLocked();
  await between.send(LOCKED);
  expect(between.sent).toEqual([QUEUED]);

  const under = site();
  const answer = Promise.withResolvers<'locked'>();
  const sending = under.send(() => answer.promise);
  under.replaceable.onLocked();
  answer.resolve('locked');
  await sending;
  await under.send(LOCKED);
  expect(under.sent).toEqual([FIRST, QUEUED]);
});

it('does not change, and refuses nothing, as long as nobody knows what became of a statement', async () => {
  const full = new Error('the queue is full');
  const { replaceable, sent, send } = site(() => {
    throw full;
  });
  await expect(send(() => Promise.reject(new Error('the connection is gone')))).rejects.toThrow('gone');
  replaceable.onLocked();
  await send(LOCKED); // it would have been found
  expect(sent).toEqual([FIRST, FIRST]);
  await expect(send(LOCKED)).rejects.toBe(full);
});
