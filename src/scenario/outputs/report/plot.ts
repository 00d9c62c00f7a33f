import type { SampleSeries } from '../../run/result.ts';
import { escapeMarkup } from '../markup.ts';
import { type Point, thin } from './thin.ts';
import { ticks } from './ticks.ts';

const WIDTH = 760;
const HEIGHT = 220;
const LEFT = 64;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 30;
const BUCKETS = 350;

export interface Limits {
  readonly low: number | null;
  readonly high: number | null;
}

/** One sampled sensor as an inline SVG line over seconds since the start of the run; gaps are left open. */
export function plot(series: SampleSeries, limits: readonly Limits[]): string {
  const points = thin(series.points, BUCKETS);
  const values = points.flatMap(([, value]) => (value === null ? [] : [value]));
  if (values.length === 0) return '<p class="none">no good point</p>';
  const bounds = limits.flatMap(({ low, high }) => [low, high].filter((one) => one !== null));
  const [low, high] = padded(Math.min(...values, ...bounds), Math.max(...values, ...bounds));
  const t0 = points[0]![0] / 1000;
  const t1 = Math.max(points.at(-1)![0] / 1000, t0 + 1e-3);
  const x = (t: number) => LEFT + ((t - t0) / (t1 - t0)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const px = (n: number) => n.toFixed(1);
  const unit = series.unit ?? '';
  const parts = [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeMarkup(`${series.sensor} over time`)}">`,
  ];
  for (const tick of ticks(low, high, 6))
    parts.push(
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${px(y(tick))}" y2="${px(y(tick))}"/>`,
      `<text x="${LEFT - 6}" y="${px(y(tick) + 4)}" text-anchor="end">${tick}</text>`,
    );
  for (const tick of ticks(t0, t1, 8))
    parts.push(`<text x="${px(x(tick))}" y="${HEIGHT - 10}" text-anchor="middle">${tick}</text>`);
  for (const bound of new Set(bounds))
    parts.push(
      `<line class="limit" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${px(y(bound))}" y2="${px(y(bound))}"/>`,
    );
  parts.push(
    `<path class="line" d="${path(
      points,
      (t) => px(x(t / 1000)),
      (value) => px(y(value)),
    )}"/>`,
  );
  parts.push(`<text x="4" y="${TOP + 2}">${escapeMarkup(unit)}</text>`);
  parts.push(`<text x="${WIDTH - 4}" y="${HEIGHT - 10}" text-anchor="end">s</text></svg>`);
  return parts.join('');
}

function path(points: readonly Point[], x: (t: number) => string, y: (value: number) => string): string {
  let drawing = false;
  let text = '';
  for (const [t, value] of points) {
    if (value === null) {
      drawing = false;
      continue;
    }
    text += `${drawing ? 'L' : 'M'}${x(t)} ${y(value)}`;
    drawing = true;
  }
  return text;
}

function padded(low: number, high: number): [number, number] {
  const margin = (high - low) * 0.08 || Math.abs(high) * 0.05 || 1;
  return [low - margin, high + margin];
}
