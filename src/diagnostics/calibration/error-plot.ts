import { escapeMarkup } from '../../scenario/outputs/markup.ts';
import { ticks } from '../../scenario/outputs/report/ticks.ts';
import type { EvaluatedPoint } from './evaluate.ts';

const WIDTH = 760;
const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 14;
const TOP = 24;
const BOTTOM = 34;

/** Errors over the reference as an inline SVG: as found hollow, as left filled, check points as squares; limits dashed. */
export function errorPlot(
  points: readonly EvaluatedPoint[],
  { unit, limit }: { unit: string; limit: number },
): string {
  const errors = points.flatMap(({ asFound, asLeft }) => [asFound, asLeft].filter((one) => one !== null));
  const reach = 1.15 * Math.max(limit, ...errors.map(Math.abs));
  const references = points.map(({ reference }) => reference);
  const [low, high] = [Math.min(...references), Math.max(...references)];
  const x = (value: number) =>
    (LEFT + ((value - low) / (high - low || 1)) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (value: number) => (TOP + ((reach - value) / (2 * reach)) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const across = (kind: string, value: number) =>
    `<line class="${kind}" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/>`;
  const mark = ({ pass, reference }: EvaluatedPoint, error: number | null, fill: string) => {
    if (error === null) return '';
    const look = `fill="${fill}" stroke="var(--plot)" stroke-width="1.6"`;
    return pass === 'check'
      ? `<rect x="${Number(x(reference)) - 4}" y="${Number(y(error)) - 4}" width="8" height="8" ${look}/>`
      : `<circle cx="${x(reference)}" cy="${y(error)}" r="4" ${look}/>`;
  };
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="errors as found and as left">`,
    ...ticks(-reach, reach, 6).map(
      (tick) =>
        `${across('grid', tick)}<text x="${LEFT - 6}" y="${Number(y(tick)) + 4}" text-anchor="end">${tick}</text>`,
    ),
    ...ticks(low, high, 8).map(
      (tick) => `<text x="${x(tick)}" y="${HEIGHT - 14}" text-anchor="middle">${tick}</text>`,
    ),
    across('limit', limit),
    across('limit', -limit),
    ...points.flatMap((point) => [
      mark(point, point.asFound, 'none'),
      mark(point, point.asLeft, 'var(--plot)'),
    ]),
    `<text x="4" y="14">error, ${escapeMarkup(unit)}: circles points, squares check points; hollow as found, filled as left</text>`,
    `<text x="${WIDTH - 4}" y="${HEIGHT - 2}" text-anchor="end">reference, ${escapeMarkup(unit)}</text></svg>`,
  ].join('');
}
