import { z } from 'zod';

export const network = z.union([z.cidrv4(), z.cidrv6()], 'must be a network, as 10.0.0.0/8 or fd00::/8');

export const addressOrNetwork = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be an address, or a network as 10.0.0.0/8 or fd00::/8',
);

/** node-postgres takes an address without a host, whose socket a parameter names. */
export const postgresUrl = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@localhost/')),
    'must be an address as postgres://USER:PASSWORD@HOST:5432/DATABASE; what is no letter or digit in a password is written as % and its code',
  );

/** ioredis takes anything, and asks this machine where it finds no address in it. */
export const redisUrl = z
  .string()
  .refine(
    (text) => text.startsWith('/') || (/^rediss?:\/\//.test(text) && URL.canParse(text)),
    'must be an address as redis://HOST:6379 or rediss://USER:PASSWORD@HOST:6379, or the path of a socket',
  );
