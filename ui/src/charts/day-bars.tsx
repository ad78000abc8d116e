import { exactMoney } from '../format/money.ts';
import classes from './charts.module.css';

const HEIGHT = 20;
const STEP = 4;
const GAP = 1;
/** Of a charge that is too small to be seen beside the largest. */
const LEAST = 1;

/** Charges by day, the earliest first, as bars: whether somebody uses more or less than before. */
export function DayBars({ charges, label }: { readonly charges: readonly number[]; readonly label: string }) {
  const top = Math.max(...charges, 0);
  const width = charges.length * STEP;
  const words =
    top === 0 ? `${label}: nothing` : `${label}: up to ${exactMoney(top)}, today ${exactMoney(charges.at(-1) ?? 0)}`;
  return (
    <svg className={classes['dayBars']} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" role="img">
      <title>{words}</title>
      <line className={classes['sparkBase']} x1="0" x2={width} y1={HEIGHT} y2={HEIGHT} />
      {charges.map((charge, day) => {
        if (charge === 0) return null;
        const height = Math.max(LEAST, (charge / top) * HEIGHT);
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its day
        return <rect key={day} x={day * STEP} y={HEIGHT - height} width={STEP - GAP} height={height} />;
      })}
    </svg>
  );
}
