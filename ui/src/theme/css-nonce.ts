/** The nonce that a strict Content-Security-Policy asks of style elements; empty where there is none. */
export function cssNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** Mantine's scroll lock makes a style element of its own and looks for the nonce under this global name. */
export function shareCssNonce(): void {
  const nonce = cssNonce();
  if (nonce !== '') Object.assign(globalThis, { __webpack_nonce__: nonce });
}
