import type { Hook } from '../reply.ts';
import { createOcr } from './createOcr.ts';
import { createOcrBatch } from './createOcrBatch.ts';

/** The operations that need more than their GraphQL document. */
export const HOOKS: Readonly<Record<string, Hook>> = {
  createOcr,
  createOcrBatch,
  listEngines: { fixed: true },
  getChangelog: { fixed: true },
};
