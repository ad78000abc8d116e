import { requireUsableNode } from '../platform/node-version.ts';

// Imported first by the command: an old Node fails while it loads the rest.
requireUsableNode();
