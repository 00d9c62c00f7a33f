import { ofInput, PLANT_INPUTS, type PlantParameters } from '../../bench/plant/parameters.ts';
import { box, COLOUR, element, line, picture, TYPE, text } from './svg.ts';

const WIDTH = 760;
const TOP = 116;
const ROW_PX = 62;
const PUMP = { x: 24, width: 116, height: 60 };
const MANIFOLD_X = 186;
const VALVE_X = 258;
const SENSOR_X = 420;
const CONVERTER_X = 520;
const CONVERTER_WIDTH = 84;
const LUNG_X = 638;
const MASK_WIDTH = 96;
const PIPE = { stroke: COLOUR.blue, 'stroke-width': 2 };
const WIRE = { stroke: COLOUR.mute, 'stroke-dasharray': '3 3' };

/** The simulated pneumatics: what the pump moves, through which valve, to which sensor. */
export function plantPlan(parameters: PlantParameters): string {
  const rows = PLANT_INPUTS.map((_, row) => TOP + row * ROW_PX);
  const [first = TOP, last = TOP] = [rows[0], rows.at(-1)];
  const middle = (first + last) / 2;
  return picture({
    width: WIDTH,
    height: last + 118,
    title:
      'Pneumatic plan of the simulated rig: pump, manifold, four valves, four pressure sensors, converter, mask and lung.',
    content: [
      text(24, 34, 'The plant of the bench', { size: TYPE.title, bold: true }),
      text(
        24,
        52,
        'blue: air, dashed with a mask mounted; grey: wires. Values at rest; svcctl bench knobs plant changes them',
        {
          size: TYPE.note,
          fill: COLOUR.mute,
        },
      ),
      ...pump(parameters, middle),
      line(PUMP.x + PUMP.width, middle, MANIFOLD_X, middle, PIPE),
      line(MANIFOLD_X, first, MANIFOLD_X, last, PIPE),
      ...rows.flatMap((y, row) => branch(parameters, row, y)),
      ...converter(parameters, first, last),
      ...maskAndLung(parameters, first),
      ...notes(parameters, last),
    ],
  });
}

function pump({ pump_full_scale_lpm: fullScale }: PlantParameters, y: number): string[] {
  const { x, width, height } = PUMP;
  return [
    box(x, y - height / 2, width, height, { fill: COLOUR.soft, stroke: COLOUR.ink, rx: 6 }),
    text(x + width / 2, y - 4, 'pump-main', { anchor: 'middle', bold: true }),
    text(x + width / 2, y + 15, `${fullScale} l/min at 100 %`, {
      anchor: 'middle',
      size: TYPE.note,
      fill: COLOUR.mute,
    }),
  ];
}

/** Manifold, valve, pressure, sensor. */
function branch({ rest_v: rest }: PlantParameters, row: number, y: number): string[] {
  const input = PLANT_INPUTS[row] ?? '';
  return [
    line(MANIFOLD_X, y, VALVE_X - 14, y, PIPE),
    valve(VALVE_X, y),
    text(VALVE_X, y - 16, `valve-${row + 1}`, { anchor: 'middle', bold: true }),
    line(VALVE_X + 14, y, SENSOR_X - 18, y, PIPE),
    element('circle', { cx: SENSOR_X, cy: y, r: 18, fill: COLOUR.paper, stroke: COLOUR.ink }),
    text(SENSOR_X, y + 4, input, { anchor: 'middle', size: TYPE.note, bold: true }),
    text(VALVE_X + 84, y - 8, `${rest[row] ?? ''} V + p`, {
      anchor: 'middle',
      size: TYPE.note,
      fill: COLOUR.mute,
    }),
    line(SENSOR_X + 18, y, CONVERTER_X, y, WIRE),
  ];
}

/** Two triangles, tip to tip. */
function valve(x: number, y: number): string {
  const d = `M${x - 14} ${y - 9}L${x + 14} ${y + 9}V${y - 9}L${x - 14} ${y + 9}Z`;
  return element('path', { d, fill: COLOUR.paper, stroke: COLOUR.ink, 'stroke-width': 1.5 });
}

function converter({ inputs }: PlantParameters, first: number, last: number): string[] {
  const pins = PLANT_INPUTS.map((input, row) => ({
    y: first + row * ROW_PX,
    name: `AIN${inputs.ads1115.indexOf(input)}`,
  }));
  return [
    box(CONVERTER_X, first - 26, CONVERTER_WIDTH, last - first + 52, {
      fill: COLOUR.soft,
      stroke: COLOUR.ink,
      rx: 6,
    }),
    ...pins.map(({ y, name }) => text(CONVERTER_X + 10, y + 4, name, { size: TYPE.note })),
    text(CONVERTER_X + CONVERTER_WIDTH / 2, last + 44, 'sensor-adc', { anchor: 'middle', bold: true }),
  ];
}

/** A mask goes where a sensor is; here at the first. The lung breathes through it. */
function maskAndLung(parameters: PlantParameters, y: number): string[] {
  const leak = ofInput(parameters.leak, 0);
  const says = leak === null ? 'none mounted' : `leak ${leak} /s`;
  const [x, top, middle] = [LUNG_X, y + 76, LUNG_X + MASK_WIDTH / 2];
  return [
    element('path', {
      d: `M${SENSOR_X - 28} ${y}V${y - 38}H${middle}V${y - 22}`,
      fill: 'none',
      ...PIPE,
      'stroke-dasharray': '7 4',
    }),
    box(x, y - 22, MASK_WIDTH, 48, {
      fill: COLOUR.paper,
      stroke: COLOUR.ink,
      'stroke-dasharray': '5 4',
      rx: 16,
    }),
    text(middle, y - 2, 'mask', { anchor: 'middle', bold: true }),
    text(middle, y + 14, says, { anchor: 'middle', size: TYPE.note, fill: COLOUR.mute }),
    line(middle, y + 26, middle, top, { ...PIPE, 'stroke-dasharray': '7 4' }),
    element('path', {
      d: `M${x + 6} ${top}H${x + MASK_WIDTH - 6}l-8 12l8 12l-8 12l8 12H${x + 6}l8 -12l-8 -12l8 -12Z`,
      fill: COLOUR.soft,
      stroke: COLOUR.ink,
    }),
    text(middle, top + 66, 'lung-main', { anchor: 'middle', bold: true }),
    text(middle, top + 82, `${parameters.lung_rest_l} l at rest`, {
      anchor: 'middle',
      size: TYPE.note,
      fill: COLOUR.mute,
    }),
  ];
}

function notes({ tau_s: tau, gain }: PlantParameters, last: number): string[] {
  const style = { size: TYPE.note, fill: COLOUR.mute };
  return [
    text(
      24,
      last + 70,
      `Valve open: p goes to ${gain} V x pump power, with a time constant of ${tau} s.`,
      style,
    ),
    text(
      24,
      last + 86,
      'Valve closed: p vents to 0 as fast; with a mask mounted p falls only as fast as the mask leaks.',
      style,
    ),
    text(24, last + 102, 'valve-5 to valve-8 are relays to which nothing is connected.', style),
  ];
}
