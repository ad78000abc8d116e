import { request } from 'undici';
import type { Attacker, Target } from '../attack.ts';

/** A GraphQL operation, and who sends it where. */
export interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As JSON, or as an object to make it of. */
  readonly body: string | { readonly query: string; readonly variables?: object };
  /** The codes of the errors that the attack is there to meet. */
  readonly refusals?: readonly string[];
}

/** The answer as text. Throws for an error that the attack does not want: it has met nothing of what it is for. */
export async function ask({ url, headers, body, refusals = [] }: Question, signal: AbortSignal): Promise<string> {
  const answer = await request(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
  const text = await answer.body.text();
  const unwanted = codesOf(text).filter((code) => !refusals.includes(code));
  if (unwanted.length > 0) throw new Error(`the question was answered ${text.slice(0, 300)}`);
  return text;
}

/** With a key of the account's. */
export function byKey({ url }: Pick<Target, 'url'>, { apiKey }: Pick<Attacker, 'apiKey'>) {
  return { url, headers: { authorization: `Bearer ${apiKey}` } };
}

/** With the cookie of a login, as the dashboard asks. */
export function byLogin({ dashboardUrl: url }: Pick<Target, 'dashboardUrl'>, { cookie }: { readonly cookie: string }) {
  return { url, headers: { origin: url, cookie } };
}

/** For calls that an attack begins and ends with: they are made whole, however short it is. */
export const whole = () => AbortSignal.timeout(30_000);

/** Of the errors, which stand first; other answers are long, and are not parsed. */
function codesOf(text: string): string[] {
  if (!text.startsWith('{"error')) return [];
  const { error, errors = [] } = JSON.parse(text) as Refused; // a GraphQL answer
  return [error, ...errors.map(({ extensions }) => extensions)].flatMap((each) => (each ? [each.code ?? ''] : []));
}

interface Refused {
  /** Of a call that no operation was made of. */
  readonly error?: { readonly code: string };
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}
