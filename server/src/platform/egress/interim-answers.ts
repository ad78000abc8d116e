/** Most interim answers of one call: a server has one or two to give, or one every few seconds where its work takes minutes. */
const MOST = 100;

/**
 * Makes a counter of one call's interim answers (103 and the like), for undici's `onInfo`. It throws at too many of them, which
 * ends the call: each sets the time for headers back, so that a server which sends nothing else has the processor for as long as
 * the call may take.
 */
export function fewInterimAnswers(): () => void {
  let count = 0;
  return () => {
    if (++count > MOST) throw new Error(`more than ${MOST} interim answers`);
  };
}
