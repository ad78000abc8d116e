import type { Hook } from '../contract/reply.ts';

/** 200 with the result of a request that has ended; 202 for one that is still at work. */
export const cancelOcr: Hook = {
  reply(result, present) {
    const running = result['status'] === 'queued' || result['status'] === 'processing';
    return { status: running ? 202 : 200, body: present(result) as object }; // a result is an object
  },
};
