import type { Hook } from '../../contract/reply.ts';

/** Logged out is 204, without a body; where the login at a provider has to end, too, it says where. */
export const logout: Hook = {
  reply: ({ providerUrl }) => ({
    status: 204,
    ...(typeof providerUrl === 'string' && { headers: { Location: providerUrl } }),
    body: '',
  }),
};
