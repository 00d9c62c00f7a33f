import * as z from 'zod';

const DATE = /^(?:19|20|21)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const TIME =
  /^(?:19|20|21)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A day or a moment that exists: 2025-02-30 is none. */
function isMoment(text: string): boolean {
  if (!DATE.test(text) && !TIME.test(text)) return false;
  const day = text.slice(0, 10);
  return Number.isFinite(Date.parse(text)) && new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day;
}

const MOMENT = 'must be a date such as 2025-01-15, or a time with zone such as 2025-01-15T10:00:00Z';
const moment = (description: string) =>
  z
    .string(MOMENT)
    .refine(isMoment, MOMENT)
    .optional()
    .meta({ description, anyOf: [{ format: 'date' }, { format: 'date-time' }] });

const identity = {
  id: z
    .string('must be text')
    .min(1, 'must name the calibration')
    .describe('Name of the calibration, of its own in the file. Readings, records and reports carry it.'),
  unit: z
    .string('must be text')
    .min(1, 'must be the unit that comes out')
    .describe('Unit that comes out of volts, for example mbar, bar or l/min.'),
  calibrated_at: moment('When it was made. A clock that stands before it is not believed.'),
  due_at: moment('Until when it holds; a plain date counts to its end, UTC. Without it no run uses it.'),
  source: z
    .string('must be text')
    .optional()
    .describe('What it was made with, for example the reference instrument.'),
  uncertainty: z
    .number('must be a number in the unit that comes out')
    .min(0, 'must not be negative')
    .optional()
    .describe('Expanded uncertainty (k = 2) in the unit that comes out. Records and reports show it.'),
  confirmed_at: moment('When a person confirmed it (svcctl calibration confirm). Without it no run uses it.'),
  confirmed_by: z
    .string('must be text')
    .min(1, 'must name a person')
    .optional()
    .describe('Who confirmed it.'),
};

/** Turns the volts of one sensor into an engineering unit. */
export const calibrationSchema = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({
        kind: z.literal('linear').describe('A straight line: value = volts x scale + offset.'),
        ...identity,
        scale: z
          .number('must be a number: units per volt')
          .refine((scale) => scale !== 0, 'must not be 0: every reading would be the same')
          .describe('Units per volt; not 0.'),
        offset: z
          .number('must be a number: the value at 0 V')
          .describe('Value at 0 V, in the unit that comes out.'),
      }),
      z.strictObject({
        kind: z
          .literal('table')
          .describe('Straight lines between points. Outside of them there is no reading.'),
        ...identity,
        points: z
          .array(
            z.tuple([z.number(), z.number()], 'must be a pair [volts, value]'),
            'must be a list of pairs',
          )
          .min(2, 'must have at least two points')
          .refine(ascends, 'must ascend in the raw value')
          .describe('Pairs [volts, value], ascending in volts, at least two.'),
      }),
    ],
    'must be linear or table',
  )
  .superRefine((calibration, context) => {
    const { calibrated_at: from, due_at: to } = calibration;
    if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from.slice(0, 10)))
      context.addIssue({
        code: 'custom',
        path: ['due_at'],
        message: `must not lie before calibrated_at ${from}`,
      });
    if (calibration.confirmed_by !== undefined && calibration.confirmed_at === undefined)
      context.addIssue({ code: 'custom', path: ['confirmed_by'], message: 'needs confirmed_at beside it' });
  });

function ascends(points: readonly (readonly [number, number])[]): boolean {
  return points.every(([raw], i) => {
    const before = points[i - 1];
    return before === undefined || raw > before[0];
  });
}
