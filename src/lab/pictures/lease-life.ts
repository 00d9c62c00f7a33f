import type { LeaseRecording } from './recording.ts';
import { box, COLOUR, element, line, picture, TYPE, text } from './svg.ts';
import { grid, type TimeAxis, xOf } from './time-axis.ts';

const WIDTH = 760;
const TOP = 92;
const CHART_PX = 110;
const BAND_PX = 18;

/** A lease that is renewed three times and then not: what is left of it, and what the rig does at its end. */
export function leaseLife({ ttlMs, calls, coil, freeAt, safeState }: LeaseRecording): string {
  const axis: TimeAxis = {
    left: 128,
    right: WIDTH - 40,
    from: -300,
    to: Math.ceil((freeAt + 600) / 1000) * 1000,
  };
  const x = (at: number) => xOf(axis, at);
  const chartBottom = TOP + CHART_PX;
  const [valveY, rigY] = [chartBottom + 34, chartBottom + 66];
  const bottom = rigY + 20;
  const height = (leftMs: number) => chartBottom - (leftMs / ttlMs) * CHART_PX;
  const starts = calls.filter(({ call }) => call !== 'open');
  const opened = coil.find(({ on }) => on)?.at ?? 0;
  const closed = coil.find(({ on }) => !on)?.at ?? freeAt;
  const note = { size: TYPE.note, fill: COLOUR.mute } as const;
  return picture({
    width: WIDTH,
    height: bottom + 36,
    title: `Life of a lease of ${ttlMs / 1000} s: taken, renewed three times, expired after ${seconds(freeAt)}; then the bridge closed the valve.`,
    content: [
      text(24, 34, 'A lease ends when its holder no longer renews it', { size: TYPE.title, bold: true }),
      text(24, 52, `recorded on the bench; a lease of ${ttlMs / 1000} s, renewed each third of that`, note),
      ...secondsGrid(axis, TOP, bottom),
      text(24, TOP + 14, 'time left'),
      text(24, TOP + 30, `${ttlMs / 1000} s to 0`, note),
      element('path', {
        d: saw(
          starts.map(({ at }) => at),
          ttlMs,
          freeAt,
          x,
          height,
        ),
        fill: 'none',
        stroke: COLOUR.blue,
        'stroke-width': 2,
      }),
      ...starts.flatMap(({ at, call }) => [
        element('circle', { cx: x(at), cy: height(ttlMs), r: 4, fill: COLOUR.blue }),
        text(x(at) + 4, height(ttlMs) - 9, call === 'take' ? 'taken' : 'renewed', { size: TYPE.note }),
      ]),
      element('circle', { cx: x(freeAt), cy: height(0), r: 4, fill: COLOUR.bad }),
      text(x(freeAt) - 8, height(0) + 14, `expired, ${seconds(freeAt)}`, {
        size: TYPE.note,
        fill: COLOUR.bad,
        anchor: 'end',
      }),
      text(24, valveY + 4, 'valve-1'),
      box(x(opened), valveY - BAND_PX / 2, x(closed) - x(opened), BAND_PX, { fill: COLOUR.active }),
      text(x(opened) + 8, valveY + 4, 'open', { size: TYPE.note }),
      line(x(closed), valveY, axis.right, valveY, { stroke: COLOUR.mute, 'stroke-width': 1.5 }),
      text(24, rigY + 4, 'the rig'),
      box(x(0), rigY - BAND_PX / 2, x(freeAt) - x(0), BAND_PX, { fill: COLOUR.soft, stroke: COLOUR.line }),
      text(x(0) + 8, rigY + 4, 'leased to Anna: no other program can actuate', { size: TYPE.note }),
      box(x(freeAt), rigY - BAND_PX / 2, axis.right - x(freeAt), BAND_PX, { fill: COLOUR.good }),
      text((x(freeAt) + axis.right) / 2, rigY + 4, safeState.outcome, {
        size: TYPE.note,
        fill: COLOUR.paper,
        anchor: 'middle',
        bold: true,
      }),
    ],
  });
}

const secondsGrid = (axis: TimeAxis, top: number, bottom: number): string[] =>
  grid({ ...axis, from: axis.from / 1000, to: axis.to / 1000 }, 1, top, bottom, 's');

/** Full at each renewal, falling with the time. */
function saw(
  starts: readonly number[],
  ttlMs: number,
  endAt: number,
  x: (at: number) => number,
  height: (leftMs: number) => number,
): string {
  const teeth = starts.map((at, n) => {
    const until = starts[n + 1] ?? endAt;
    const left = Math.max(0, ttlMs - (until - at));
    return `${n === 0 ? 'M' : 'L'}${point(x(at), height(ttlMs))}L${point(x(until), height(left))}`;
  });
  return teeth.join('');
}

const point = (x: number, y: number): string => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
