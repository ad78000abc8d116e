import uPlot from 'uplot';
import { textScale } from '../theme/text-scale.ts';
import { cssColour } from './css-colour.ts';
import { BY_DAY, type Step } from './step.ts';

const FONT_PX = 11;
const DAY_SECONDS = 86_400;
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const UTC_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

interface AxisChoices {
  readonly yText: (value: number) => string;
  /** False for a plot that stands above another with the same time axis. */
  readonly withTime?: boolean;
  /** The steps that the values may go in; uPlot's own when absent. */
  readonly steps?: readonly number[];
  /** From one value to the next, at least; uPlot's own when absent. */
  readonly leastPx?: number;
  /** What the columns are of; days have no times between them. */
  readonly step?: Step;
}

/** Days between two texts of an axis of days. */
const DAY_STEPS = [1, 2, 3, 5, 10, 15].map((days) => days * DAY_SECONDS);

/** The axes of every chart: quiet lines, small figures, times in the reader's zone. */
export function axes(place: HTMLElement, { yText, withTime = true, steps, leastPx, step }: AxisChoices): uPlot.Axis[] {
  const scale = textScale();
  const quiet = {
    stroke: cssColour(place, '--text-soft'),
    font: `${FONT_PX * scale}px system-ui, sans-serif`,
    grid: { stroke: cssColour(place, '--line'), width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...quiet,
      size: withTime ? 24 * scale : 0,
      gap: 4 * scale,
      space: 64 * scale,
      ...(step === BY_DAY ? { incrs: DAY_STEPS } : {}),
      values: withTime ? (step === BY_DAY ? dayTexts : timeTexts) : () => [],
    },
    {
      ...quiet,
      size: 72 * scale,
      gap: 6 * scale,
      scale: 'y',
      ...(steps ? { incrs: [...steps] } : {}),
      ...(leastPx ? { space: leastPx } : {}),
      values: (_, splits) => splits.map((at) => (at === null ? '' : yText(at))),
    },
  ];
}

/** The zone of a plot's times: the reader's for hours, UTC for days. */
export function zoneOf(step: Step): Pick<uPlot.Options, 'tzDate'> {
  return step === BY_DAY ? { tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') } : {};
}

function dayTexts(_: uPlot, splits: number[]): string[] {
  return splits.map((seconds) => UTC_DAY.format(new Date(seconds * 1000)));
}

/** `14:00`, and the day instead where one begins. */
function timeTexts(_: uPlot, splits: number[], __: number, ___: number, stepSeconds: number): string[] {
  return splits.map((seconds) => {
    const at = new Date(seconds * 1000);
    const beginsDay = at.getHours() === 0 && at.getMinutes() === 0;
    return stepSeconds >= DAY_SECONDS || beginsDay ? DAY.format(at) : CLOCK.format(at);
  });
}
