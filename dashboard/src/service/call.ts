import { refusalOf } from './refusal.ts';

/** A JSON call of this origin. Throws a `Refusal` for any answer but 2xx. */
export async function call<Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: unknown = text === '' ? null : JSON.parse(text);
  if (!response.ok) throw refusalOf(response.status, answer);
  return answer as Answer; // as the contract of the route has it
}
