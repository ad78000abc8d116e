/** What cancelling a request comes to, before somebody does it; `held` is what is reserved for it. */
export function cancelWords(status: string, held: string): string {
  if (status === 'queued') return `It waits for a worker. It ends now, nothing is charged, and ${held} are free again.`;
  return (
    'Its calls to engines are stopped. Pages that were read are kept and cost their price; a call that is under way costs ' +
    `what its provider bills for it. ${held} are reserved: what is not needed of them is free again.`
  );
}
