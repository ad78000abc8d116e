import './platform/production.ts';
import { onUsableNode } from './platform/node-version.ts';

/** The work alone, for `api` processes. */
await onUsableNode(async () => {
  const { serve } = await import('#serve');
  serve('worker');
});
