import { requireUsableNode } from '../platform/node-version.ts';

// An old Node fails while it loads the rest.
requireUsableNode();
const { runCommand } = await import('#commands');
await runCommand();
