import type { Hook } from '../contract/reply.ts';

/** 200 with the result of a job; 202 with its progress while it runs. */
export const getOcrJobResult: Hook = {
  reply(result, present) {
    const running = result['status'] === 'queued' || result['status'] === 'processing';
    if (running) return { status: 202, body: present(result['_job'], 202) as object }; // a caller who has a job id has a job
    return { status: 200, body: present(result) as object };
  },
};
