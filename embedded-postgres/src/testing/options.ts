import type { Log } from '../log.ts';

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The names of the product, so that tests as root make no second system user and no second folder on the machine. */
export const NAMES = { database: 'ocr_router', service: 'ocr_router_service', program: 'ocr-router' };

export const OPTIONS = { names: NAMES, appendOnly: ['journal'], log: SILENT };
