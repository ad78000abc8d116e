import type { Mark } from '@ocr-router/ui/charts/marks.ts';
import type { EngineState } from '@ocr-router/ui/status/engine-state.ts';
import type { AlertSeverity } from '../../documents.generated.ts';

interface Severity {
  readonly name: string;
  /** What it means, in a form. */
  readonly words: string;
  /** The shape and the colour of what fires. */
  readonly look: EngineState;
  /** The colour of its time in a chart. */
  readonly tone: Mark['tone'];
  /** The colour of a notice. */
  readonly colour: 'red' | 'yellow' | 'blue';
}

/** How each severity is shown, the most severe first. */
export const SEVERITIES: Readonly<Record<AlertSeverity, Severity>> = {
  critical: { name: 'Critical', words: 'Critical: look at once', look: 'down', tone: 'down', colour: 'red' },
  warning: { name: 'Warning', words: 'Warning: look soon', look: 'degraded', tone: 'degraded', colour: 'yellow' },
  info: { name: 'Info', words: 'Info: no action needed', look: 'no-data', tone: 'quiet', colour: 'blue' },
};

const ORDER = Object.keys(SEVERITIES);

/** Sorts the most severe first. */
export function compareSeverities(a: AlertSeverity, b: AlertSeverity): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}
