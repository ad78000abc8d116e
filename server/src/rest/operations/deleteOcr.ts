import type { Hook } from '../contract/reply.ts';

/** 204 for a request whose texts are gone; 202 for one that is still at work, whose texts go when it ends. */
export const deleteOcr: Hook = {
  reply(result, present) {
    const running = result['status'] === 'queued' || result['status'] === 'processing';
    return running ? { status: 202, body: present(result, 202) as object } : { status: 204, body: '' };
  },
};
