import type { Hook } from '../../contract/reply.ts';

/** Answers 204 without a body. Where the login at a provider has to end, too, `Location` says where. */
export const logout: Hook = {
  reply: ({ providerUrl }) => ({
    status: 204,
    ...(typeof providerUrl === 'string' && { headers: { Location: providerUrl } }),
    body: '',
  }),
};
