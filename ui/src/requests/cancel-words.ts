/** What cancelling a request comes to, before somebody does it; `held` is what is reserved for it. */
export function cancelWords(status: string, held: string): string {
  if (status === 'queued') return `It is still in the queue. It ends now, nothing is charged, and ${held} is released.`;
  return (
    'Its calls to engines are stopped. Pages that were read are kept and charged at their price; a call in progress costs ' +
    `what its provider bills for it. ${held} is reserved; what is not needed is released.`
  );
}
