import type uPlot from 'uplot';

/** A limit, and the part of the x axis it holds for; without one it holds for all of it. */
export interface Limit {
  readonly low: number | null;
  readonly high: number | null;
  readonly from?: number;
  readonly to?: number;
}

/** A value that judges nothing, such as a mean. */
export interface Guide {
  readonly low: number;
  readonly high: number;
}

/** A limit of a moment is drawn as wide as this, in CSS pixels, so that it can be seen. */
const LEAST_WIDTH = 28;

/** Range of the y axis: values and limits, and a tenth of it as margin. */
export function limitRange(
  low: number | null,
  high: number | null,
  limits: readonly Limit[],
): [number, number] {
  const all = [low, high, ...limits.flatMap((one) => [one.low, one.high])].filter((one) => one !== null);
  if (all.length === 0) return [0, 1];
  const from = all.reduce((one, other) => Math.min(one, other));
  const to = all.reduce((one, other) => Math.max(one, other));
  const margin = (to - from || Math.abs(to) || 1) * 0.1;
  return [from - margin, to + margin];
}

/**
 * Where a limit is drawn, in the pixels of a picture that goes from `left` to `right`.
 * @param from pixels at its beginning and end @returns undefined: it lies outside
 */
export function limitSpan(
  { from, to }: { from: number; to: number },
  { left, right, least }: { left: number; right: number; least: number },
): [from: number, to: number] | undefined {
  if (to < left || from > right) return undefined;
  const missing = Math.max(0, least - (to - from)) / 2;
  return [Math.max(left, from - missing), Math.min(right, to + missing)];
}

/** Limits as dashed lines over the time in which they judged, guides as fine dotted ones over all of it. */
export function drawLimits(
  plot: uPlot,
  { limits, guides }: { limits: readonly Limit[]; guides: readonly Guide[] },
  colours: { limit: string; guide: string },
): void {
  const { ctx, bbox } = plot;
  const [left, right] = [bbox.left, bbox.left + bbox.width];
  const scale = devicePixelRatio || 1;
  ctx.save();
  const line = (value: number, [from, to]: readonly [number, number]) => {
    const y = plot.valToPos(value, 'y', true);
    ctx.beginPath();
    ctx.moveTo(from, y);
    ctx.lineTo(to, y);
    ctx.stroke();
  };
  ctx.strokeStyle = colours.guide;
  ctx.lineWidth = scale;
  ctx.setLineDash([2 * scale, 3 * scale]);
  for (const { low, high } of guides) for (const value of new Set([low, high])) line(value, [left, right]);
  ctx.strokeStyle = colours.limit;
  ctx.lineWidth = 2 * scale;
  ctx.setLineDash([6 * scale, 4 * scale]);
  for (const { low, high, from, to } of limits) {
    const place = {
      from: from === undefined ? left : plot.valToPos(from, 'x', true),
      to: to === undefined ? right : plot.valToPos(to, 'x', true),
    };
    const span = limitSpan(place, { left, right, least: LEAST_WIDTH * scale });
    if (span === undefined) continue;
    for (const value of [low, high]) if (value !== null) line(value, span);
  }
  ctx.restore();
}

/** Rings around values that are pointed out. */
export function drawMarks(plot: uPlot, marks: readonly number[], colour: string): void {
  const { ctx } = plot;
  const [x, y] = plot.data;
  const scale = devicePixelRatio || 1;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2 * scale;
  for (const mark of marks) {
    const value = y?.[x.indexOf(mark)];
    if (value === null || value === undefined) continue;
    ctx.beginPath();
    ctx.arc(plot.valToPos(mark, 'x', true), plot.valToPos(value, 'y', true), 6 * scale, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.restore();
}
