import { refusalOf } from './refusal.ts';

/** A JSON call of this origin. Throws a `Refusal` for any answer but 2xx. */
export async function call<Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  return (await send<Answer>(method, path, body)).answer;
}

/** The same, with where the answer sends the browser, if anywhere. */
export async function send<Answer>(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<{ answer: Answer; location: string | null }> {
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: unknown = text === '' ? null : JSON.parse(text);
  if (!response.ok) throw refusalOf(response.status, answer);
  return { answer: answer as Answer, location: response.headers.get('location') }; // as the route's contract has it
}
