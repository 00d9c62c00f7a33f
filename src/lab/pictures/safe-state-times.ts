import { HEAD_START_MS } from '../../rig/safe-state/safe-state.ts';
import type { Exchange, StopRecording } from './recording.ts';
import { box, COLOUR, line, picture, TYPE, text } from './svg.ts';
import { grid, type TimeAxis, xOf } from './time-axis.ts';

const WIDTH = 760;
const ROW_PX = 30;
const BAND_PX = 16;
const TOP = 88;
const STEP_MS = 20;

/** When each output went off after an operator's stop, by the twins, and how long the bridge took for the proof. */
export function safeStateTimes({ trace, steps, durationMs }: StopRecording): string {
  const to = Math.ceil((durationMs + 10) / STEP_MS) * STEP_MS;
  const axis: TimeAxis = { left: 168, right: WIDTH - 32, from: -10, to };
  const outputs = outputsOf(trace);
  const rows = TOP + (outputs.length + 1) * ROW_PX + 14;
  const bottom = rows + steps.length * ROW_PX;
  const heading = { bold: true };
  return picture({
    width: WIDTH,
    height: bottom + 36,
    title: `Time line of an operator's stop. Off after: ${outputs.map(({ name, offAt }) => `${name} ${ms(offAt)}`).join(', ')}. All proven after ${ms(durationMs)}.`,
    content: [
      text(24, 34, `An operator's stop: all off and proven in ${ms(durationMs)}`, {
        size: TYPE.title,
        bold: true,
      }),
      text(
        24,
        52,
        'recorded on the bench, on a two-core machine under load; 0 is the moment at which the bridge accepted the stop',
        {
          size: TYPE.note,
          fill: COLOUR.mute,
        },
      ),
      ...grid(axis, STEP_MS, TOP - 14, bottom, 'ms'),
      text(24, TOP + 4, 'Outputs', heading),
      ...outputs.flatMap((one, n) => outputRow(one, axis, TOP + (n + 1) * ROW_PX)),
      text(24, rows + 4 - ROW_PX / 2 + 2, 'Steps, with proof', heading),
      ...stepRows(steps, axis, rows + ROW_PX / 2),
      line(xOf(axis, 0), TOP - 14, xOf(axis, 0), bottom, { stroke: COLOUR.bad, 'stroke-width': 1.5 }),
      text(xOf(axis, 0), TOP - 20, 'stop', { anchor: 'middle', size: TYPE.note, fill: COLOUR.bad }),
    ],
  });
}

interface Output {
  readonly name: string;
  readonly offAt: number;
  readonly what: string;
}

function outputsOf(trace: readonly Exchange[]): Output[] {
  const first = (name: string, what: string, isOff: (one: Exchange) => boolean): Output[] => {
    const off = trace.find(isOff);
    return off ? [{ name, what, offAt: off.at }] : [];
  };
  return [
    ...first('lung, motion', 'stopped', (one) => one.kind === 'motion' && one.velocity === 0),
    ...first('lung, current', 'de-energized', (one) => one.kind === 'motion' && one.energized === false),
    ...first('pump', 'duty 0', (one) => one.kind === 'drive' && one.duty === 0),
    ...first('valve-1', 'closed', (one) => one.kind === 'coil' && one.coil === 0 && one.on === false),
    ...first('valve-2', 'closed', (one) => one.kind === 'coil' && one.coil === 1 && one.on === false),
  ];
}

function outputRow({ name, what, offAt }: Output, axis: TimeAxis, y: number): string[] {
  const [from, off] = [axis.left, xOf(axis, offAt)];
  return [
    text(24, y + 4, name),
    box(from, y - BAND_PX / 2, off - from, BAND_PX, { fill: COLOUR.active }),
    line(off, y, axis.right, y, { stroke: COLOUR.mute, 'stroke-width': 1.5 }),
    line(off, y - BAND_PX / 2 - 2, off, y + BAND_PX / 2 + 2, { stroke: COLOUR.ink, 'stroke-width': 1.5 }),
    text(off + 7, y - 5, `${what}, ${ms(offAt)}`, { size: TYPE.note }),
  ];
}

/** Lengths as reported; a step begins as soon as the one before allows it, and at its time at the latest. */
function stepRows(steps: StopRecording['steps'], axis: TimeAxis, top: number): string[] {
  const ends = new Map<string, number>();
  const endOf = (name: string) => ends.get(name) ?? 0;
  const begins: Readonly<Record<string, () => number>> = {
    lung_halt: () => 0,
    pump_zero: () => Math.min(endOf('lung_halt'), HEAD_START_MS.pump_zero),
    lung_deenergize: () =>
      Math.max(endOf('lung_halt'), Math.min(endOf('pump_zero'), HEAD_START_MS.lung_deenergize)),
    valves_off: () =>
      Math.min(Math.max(endOf('lung_deenergize'), endOf('pump_zero')), HEAD_START_MS.valves_off),
    valves_verify: () => endOf('valves_off'),
  };
  return steps.flatMap(({ name, duration_ms: length }, n) => {
    const begin = begins[name]?.() ?? 0;
    ends.set(name, begin + length);
    const [y, x] = [top + n * ROW_PX, xOf(axis, begin)];
    const width = Math.max(2, xOf(axis, begin + length) - x);
    return [
      text(24, y + 4, name),
      box(x, y - BAND_PX / 2, width, BAND_PX, { fill: COLOUR.blue, rx: 2 }),
      text(x + 6, y + 4, ms(length), { size: TYPE.note, fill: COLOUR.paper, bold: true }),
    ];
  });
}

const ms = (value: number): string => `${Math.round(value)} ms`;
