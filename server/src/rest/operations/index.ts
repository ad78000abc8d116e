import type { Hook } from '../contract/reply.ts';
import { cancelOcr } from './cancelOcr.ts';
import { createOcr } from './createOcr.ts';
import { createOcrBatch } from './createOcrBatch.ts';
import { createWebhook } from './dashboard/createWebhook.ts';
import { deleteWebhook } from './dashboard/deleteWebhook.ts';
import { logout } from './dashboard/logout.ts';
import { testWebhook } from './dashboard/testWebhook.ts';
import { deleteOcr } from './deleteOcr.ts';
import { estimateOcr } from './estimateOcr.ts';
import { getOcrJobResult } from './getOcrJobResult.ts';
import { listOcrPages } from './listOcrPages.ts';

/** Hooks of the operations that need more than their GraphQL document. */
export const HOOKS: Readonly<Record<string, Hook>> = {
  cancelOcr,
  createOcr,
  createOcrBatch,
  estimateOcr,
  deleteOcr,
  getOcrJobResult,
  listOcrPages,
  createWebhook,
  deleteWebhook,
  testWebhook,
  logout,
  getHealth: { anyQuery: true },
  listEngines: { fixed: true },
  getChangelog: { fixed: true },
};
