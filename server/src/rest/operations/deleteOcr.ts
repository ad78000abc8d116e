import type { Hook } from '../contract/reply.ts';

/** 204 for what is gone; 202 for what is still at work, and goes when it ends. */
export const deleteOcr: Hook = {
  reply(result, present) {
    const running = result['status'] === 'queued' || result['status'] === 'processing';
    return running ? { status: 202, body: present(result, 202) as object } : { status: 204, body: '' };
  },
};
