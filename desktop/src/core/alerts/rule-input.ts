import { z } from 'zod';
import type { AlertKind } from '../../shared/alerts.ts';
import { ID, text } from '../input.ts';

/** What a threshold may be; null where there is nothing to compare with. */
const THRESHOLDS = {
  engine_down: null,
  latency_p95_ms: z.number().min(1).max(3_600_000),
  error_rate: z.number().min(0).max(1),
  queue_age_seconds: z.number().min(0).max(86_400),
  provider_auth: null,
  owed_usd: z.number().min(0).max(1_000_000),
} satisfies Record<AlertKind, z.ZodNumber | null>;

const KINDS = z.enum(Object.keys(THRESHOLDS) as [AlertKind, ...AlertKind[]]); // `satisfies` above says that they are these
const CHECKS = z.int().min(1).max(120);
const TIME_OF_DAY = z
  .string()
  .refine((time) => /^([01]\d|2[0-3]):[0-5]\d$/.test(time), 'A time of day is written as HH:MM.');

/** A rule as the page may send it, or as the file holds it. */
export const RULE = z
  .strictObject({
    id: ID.optional(),
    kind: KINDS,
    engineId: text(200).nullable(),
    threshold: z.number().nullable(),
    fireAfter: CHECKS,
    recoverAfter: CHECKS,
    cooldownMinutes: z.number().min(0).max(1440),
    enabled: z.boolean(),
    mutedUntil: z.unknown().optional(),
  })
  .superRefine(({ kind, threshold }, context) => {
    for (const { message } of THRESHOLDS[kind]?.safeParse(threshold).error?.issues ?? []) {
      context.addIssue({ code: 'custom', message: `threshold: ${message}` });
    }
  })
  .transform(({ mutedUntil: _, ...rule }) => ({
    ...rule,
    engineId: rule.kind === 'owed_usd' ? null : rule.engineId,
    threshold: THRESHOLDS[rule.kind] && rule.threshold,
  }));

/** Hours that begin and end at once are none. */
export const QUIET_HOURS = z
  .strictObject({ from: TIME_OF_DAY, to: TIME_OF_DAY })
  .transform(({ from, to }) => (from === to ? null : { from, to }))
  .nullable();
