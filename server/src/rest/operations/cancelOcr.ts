import type { Hook } from '../contract/reply.ts';

/** The result of what has ended; 202 for what is still at work. */
export const cancelOcr: Hook = {
  reply(result, present) {
    const running = result['status'] === 'queued' || result['status'] === 'processing';
    return { status: running ? 202 : 200, body: present(result) as object }; // a result is an object
  },
};
