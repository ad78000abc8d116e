/** An address without its query and fragment, which may hold a secret; null for what is none. */
export function withoutQuery(url: string | null | undefined): string | null {
  if (url == null || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
