import { isTlsFailure } from '../../../platform/connections/tls-failure.ts';

/** Codes of a connection that was there, and was closed before the message was taken. */
const CLOSED = /^(ECONNECTION|ECONNRESET|EPIPE)$/;

/** The status that the mail server answered; null without an answer. */
export function statusOf(error: unknown): number | null {
  const status = fieldOf(error, 'responseCode');
  return typeof status === 'number' ? status : null;
}

/** The reason that a mail server took nothing, in words for the operator, who has chosen the server. */
export function reasonOf(error: unknown): string {
  const status = statusOf(error);
  if (status !== null) return `The mail server answered ${status}.`;
  const code = String(fieldOf(error, 'originalCode') ?? fieldOf(error, 'code') ?? 'no code');
  if (isTlsFailure(code)) return `The mail server could not be reached by TLS (${code}).`;
  if (CLOSED.test(code)) return 'The mail server closed the connection.';
  if (code === 'EPROTOCOL') return 'What answers there is no mail server.';
  return `The mail server could not be reached (${code}).`;
}

/** What nodemailer tells of a message that was taken. */
interface Sent {
  /** One for each address that was refused. */
  readonly rejectedErrors?: readonly unknown[] | undefined;
}

/** The addresses that a message was not taken for, in words; null where there are none. */
export function refusalsOf({ rejectedErrors = [] }: Sent): string | null {
  if (rejectedErrors.length === 0) return null;
  const refused = rejectedErrors.map((error) => `${fieldOf(error, 'recipient')} (${statusOf(error) ?? 'no answer'})`);
  return `The mail server took it for the others, and refused: ${refused.join(', ')}.`;
}

function fieldOf(error: unknown, name: string): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined;
}
