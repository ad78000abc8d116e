import { expect, it } from 'vitest';
import { readConfig } from './platform/config.ts';
import { makeLog } from './platform/logging/log.ts';
import { openService } from './service.ts';

it.each(['api', 'worker'] as const)('says what the %s needs by the commands of the package, too', async (role) => {
  await expect(openService(role, readConfig({}), makeLog('silent'))).rejects.toThrow(
    'An API or a worker needs DATABASE_URL and REDIS_URL; everything in one process (`ocr-router serve`, `npm start`) needs neither.',
  );
});
