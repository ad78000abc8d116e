import { resolve } from 'node:path';
import { z } from 'zod';

/** The settings of the environment by which months that are long over are moved to files. */
export const archiveSettings = {
  ARCHIVE_AFTER_MONTHS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1200)
    .optional()
    .describe(
      'Whole months beside the current one that stay in the database; a worker moves pages, layouts and attempts of older ones to files. None when not set.',
    ),
  ARCHIVE_DIR: z.string().optional().describe('Folder of these files; the same one for every worker.'),
  ARCHIVE_DELETE_TEXTS: z
    .stringbool()
    .default(false)
    .describe(
      'Whether what requests of such a month still have of what they read is deleted first; else the month stays until nothing is kept.',
    ),
};

export interface ArchiveConfig {
  /** Whole months that stay, beside the current one. */
  readonly afterMonths: number;
  readonly folder: string;
  readonly deleteTexts: boolean;
}

/** Null where nothing is archived by itself. */
export function archiveConfig(settings: z.infer<z.ZodObject<typeof archiveSettings>>): ArchiveConfig | null {
  if (settings.ARCHIVE_AFTER_MONTHS === undefined || settings.ARCHIVE_DIR === undefined) return null;
  return {
    afterMonths: settings.ARCHIVE_AFTER_MONTHS,
    folder: resolve(settings.ARCHIVE_DIR),
    deleteTexts: settings.ARCHIVE_DELETE_TEXTS,
  };
}
