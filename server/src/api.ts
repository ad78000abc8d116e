import './platform/production.ts';
import { onUsableNode } from './platform/node-version.ts';

/** The API alone: the work is done by `worker` processes. */
await onUsableNode(async () => {
  const { serve } = await import('#serve');
  serve('api');
});
