import type { Hook } from '../contract/reply.ts';

/** The parts of a page come as one word with commas. */
export const listOcrPages: Hook = {
  variables({ params, query }) {
    const names = String(query['include']).split(',');
    const include = names.map((name) => name.trim()).filter((name) => name !== '');
    return { requestId: params['request_id'], include, page: query['page'], perPage: query['per_page'] };
  },
};
