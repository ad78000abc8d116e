/** A time as a `DateField` takes it: in the reader's zone, to the minute. Empty for none. */
export function toField(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The time that was entered, as ISO; null for none, and for half of one. */
export function fromField(text: string): string | null {
  const atMs = Date.parse(text); // without a zone it is the reader's
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}
