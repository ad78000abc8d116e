import type { Hook } from '../contract/reply.ts';

/** Splits `include`, which names parts of a page with commas between them. */
export const listOcrPages: Hook = {
  variables({ params, query }) {
    const names = String(query['include']).split(',');
    const include = names.map((name) => name.trim()).filter((name) => name !== '');
    return { requestId: params['request_id'], include, page: query['page'], perPage: query['per_page'] };
  },
};
