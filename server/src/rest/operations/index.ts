import type { Hook } from '../reply.ts';
import { createOcr } from './createOcr.ts';
import { logout } from './dashboard/logout.ts';

/** The operations that need more than their GraphQL document. */
export const HOOKS: Readonly<Record<string, Hook>> = {
  createOcr,
  logout,
  listEngines: { fixed: true },
  getChangelog: { fixed: true },
};
