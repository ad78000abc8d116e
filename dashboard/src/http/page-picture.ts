import { refusalOf } from './refusal.ts';

/** A page of a document as a picture that browsers show, drawn by the service. Throws a `Refusal`. */
export async function pagePicture(document: Blob, page: number, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(`/api/page-picture?page=${page}`, { method: 'POST', body: document, signal });
  if (!response.ok) throw refusalOf(response.status, await response.json().catch(() => null)); // not every proxy says why
  return response.blob();
}
