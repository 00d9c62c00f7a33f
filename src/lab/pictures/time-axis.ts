import { COLOUR, line, TYPE, text } from './svg.ts';

/** Where moments lie on a picture. */
export interface TimeAxis {
  readonly left: number;
  readonly right: number;
  /** Of the left end, in the unit of the axis. */
  readonly from: number;
  readonly to: number;
}

export const xOf = ({ left, right, from, to }: TimeAxis, at: number): number =>
  left + ((Math.min(Math.max(at, from), to) - from) / (to - from)) * (right - left);

/** Vertical lines at whole multiples of `step`, with their numbers below. */
export function grid(axis: TimeAxis, step: number, top: number, bottom: number, unit: string): string[] {
  const count = Math.floor(axis.to / step);
  return Array.from({ length: count + 1 }, (_, n) => n * step).flatMap((at, n) => {
    const x = xOf(axis, at);
    return [
      line(x, top, x, bottom),
      text(x, bottom + 16, n === count ? `${at} ${unit}` : String(at), {
        anchor: 'middle',
        size: TYPE.note,
        fill: COLOUR.mute,
      }),
    ];
  });
}
