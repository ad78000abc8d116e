/** What only Electron's main process and its preload say to each other. */

/** Preload to main: a page has been loaded. */
export const HELLO_CHANNEL = 'bridge.hello';
/** Main to preload: an event and its payload. */
export const EVENT_CHANNEL = 'bridge.event';

/** How a call ended. Errors that cross over lose their words, so they do not cross. */
export type Reply = { readonly output: unknown } | { readonly refused: string };
