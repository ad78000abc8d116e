import type { Bridge } from '../../shared/channels.ts';

declare global {
  interface Window {
    readonly bridge: Bridge;
  }
}

/** The one way out of the renderer: what the preload, or the local server's page, put there. */
export const bridge: Bridge = window.bridge;
