import './platform/production.ts';
import { onUsableNode } from './platform/node-version.ts';

/** Everything in one process: the API, and the work behind it. */
await onUsableNode(async () => {
  const { serve } = await import('#serve');
  serve('all');
});
