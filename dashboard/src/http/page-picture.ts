import { refusalOf } from './refusal.ts';

interface PageOf {
  /** From 1. */
  readonly page: number;
  /** A request: another document than its own is refused. */
  readonly request?: string;
}

/** A page of a document as a picture that browsers show, drawn by the service. Throws a `Refusal`. */
export async function pagePicture(document: Blob, { page, request }: PageOf, signal: AbortSignal): Promise<Blob> {
  const query = new URLSearchParams({ page: String(page), ...(request && { request }) });
  const response = await fetch(`/api/page-picture?${query}`, { method: 'POST', body: document, signal });
  if (!response.ok) throw refusalOf(response.status, await response.json().catch(() => null)); // not every proxy says why
  return response.blob();
}
