import { formatNumber } from '../messages/index.ts';

interface LimitBarProps {
  value: number | null;
  low: number | null;
  high: number | null;
  isFailed: boolean;
}

/** Room beside the limits, as a part of their distance. */
const MARGIN = 0.35;
const WIDTH = 200;

/** A value beside its limits: the band is what is allowed, the mark is the value; beyond the picture it becomes an arrow. */
export function LimitBar({ value, low, high, isFailed }: LimitBarProps) {
  if (low === null && high === null) return null;
  const [from, to] = rangeOf(value, low, high);
  const x = (at: number) => ((at - from) / (to - from)) * WIDTH;
  const left = low === null ? 0 : x(low);
  const right = high === null ? WIDTH : x(high);
  return (
    <svg class={`limit-bar ${isFailed ? 'is-failed' : ''}`} viewBox={`0 0 ${WIDTH} 24`} aria-hidden="true">
      <rect class="limit-track" x="0" y="9" width={WIDTH} height="6" />
      <rect class="limit-band" x={left} y="6" width={Math.max(1, right - left)} height="12" />
      {low === null ? null : <line class="limit-line" x1={left} x2={left} y1="3" y2="21" />}
      {high === null ? null : <line class="limit-line" x1={right} x2={right} y1="3" y2="21" />}
      {value === null ? null : <Mark at={x(value)} />}
    </svg>
  );
}

function Mark({ at }: { at: number }) {
  if (at < 0) return <path class="limit-mark" d="M12 2L0 12L12 22Z" />;
  if (at > WIDTH) return <path class="limit-mark" d={`M${WIDTH - 12} 2L${WIDTH} 12L${WIDTH - 12} 22Z`} />;
  return <path class="limit-mark" d={`M${at} 0L${at + 6} 12L${at} 24L${at - 6} 12Z`} />;
}

function rangeOf(value: number | null, low: number | null, high: number | null): [from: number, to: number] {
  const one = low ?? high ?? 0;
  if (low !== null && high !== null && high > low) {
    const margin = (high - low) * MARGIN;
    return [low - margin, high + margin];
  }
  const reach = Math.max(Math.abs((value ?? one) - one), Math.abs(one) * MARGIN, 1e-9) * 1.5;
  return [one - reach, one + reach];
}

/** `8.5 … 11.5 mbar`, `≥ 3 V`, `≤ 2 V`. */
export function limitText(low: number | null, high: number | null, unit: string | null): string {
  const end = unit === null || unit === '' ? '' : ` ${unit}`;
  if (low !== null && high !== null)
    return low === high
      ? `= ${formatNumber(low)}${end}`
      : `${formatNumber(low)} … ${formatNumber(high)}${end}`;
  if (low !== null) return `≥ ${formatNumber(low)}${end}`;
  return high === null ? '' : `≤ ${formatNumber(high)}${end}`;
}
