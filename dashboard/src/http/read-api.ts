import { apiAddress } from './addresses.ts';
import { refusalOf } from './refusal.ts';

/** Reads something of the API that is open to everybody. Throws a `Refusal` for any answer but 2xx. */
export async function readApi<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`${apiAddress()}${path}`, { headers: { accept: 'application/json' } });
  const body: unknown = await response.json();
  if (!response.ok) throw refusalOf(response.status, body);
  return body as Answer; // as the contract of the route has it
}
