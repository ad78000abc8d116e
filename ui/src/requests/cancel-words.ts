/** What cancelling a request comes to, before somebody does it; `held` is what is reserved for it. */
export function cancelWords(status: string, held: string): string {
  if (status === 'queued')
    return `It is still in the queue. It ends now, nothing is charged, and ${held} is free again.`;
  return (
    'Its calls to engines are stopped. Pages that were read are kept and cost their price; a call that is under way costs ' +
    `what its provider bills for it. ${held} is reserved: what is not needed of it is free again.`
  );
}
