import * as z from 'zod';

export const baudrate = (byDefault: number) =>
  z
    .int('must be baud')
    .min(1200, 'must be 1200..256000')
    .max(256_000, 'must be 1200..256000')
    .default(byDefault);

export const parity = z.enum(['N', 'E', 'O'], 'must be N, E or O').default('N');

export const serialPort = z
  .string('must be a device path such as /dev/serial/by-id/...')
  .min(1, 'must not be empty');

const milliseconds = (max: number) => {
  const message = `must be 0..${max} ms`;
  return z.number(message).min(0, message).max(max, message);
};

const rs485 = z
  .strictObject({
    de: z
      .literal('rts', 'must be rts, the only output that the kernel switches')
      .default('rts')
      .describe('Output that is wired to DE: rts.'),
    active: z
      .enum(['high', 'low'], 'must be high or low')
      .default('high')
      .describe('Level of that output while sending.'),
    delay_before_ms: z
      .int('must be 0..100 ms, a whole number')
      .min(0, 'must be 0..100 ms')
      .max(100, 'must be 0..100 ms')
      .default(0)
      .describe('From switching the driver on to the first bit, ms, 0..100.'),
    delay_after_ms: z
      .int('must be 0..100 ms, a whole number')
      .min(0, 'must be 0..100 ms')
      .max(100, 'must be 0..100 ms')
      .default(0)
      .describe('From the last bit to switching it off, ms, 0..100.'),
  })
  .optional()
  .describe('The kernel switches DE of a UART; leave it out for an adapter that does so by itself.');

/** The longest that a device may take to answer where a line does not say, ms. */
export const DEFAULT_TURNAROUND_MS = 700;

/** A safe state gives the valves 1.4 s and their read-back 1 s: on a slower line it could never be confirmed, ms. */
const LONGEST_QUIET_MS = 1000;

const line = z
  .strictObject({
    port: serialPort.describe('Path of the serial port.'),
    baud: baudrate(19_200).describe('Baud of all devices on the line.'),
    parity: parity.describe('N, E or O.'),
    turnaround_ms: milliseconds(LONGEST_QUIET_MS)
      .default(DEFAULT_TURNAROUND_MS)
      .describe('Longest time that the slowest device takes to answer, ms, 0..1000.'),
    quiet_ms: milliseconds(LONGEST_QUIET_MS)
      .optional()
      .describe(
        'How long nothing is sent after a fault, ms; 0..1000; default turnaround_ms and 3.5 characters.',
      ),
    rs485,
  })
  .superRefine(({ turnaround_ms: turnaround, quiet_ms: quiet }, context) => {
    if (quiet === undefined || quiet >= turnaround) return;
    const message = `must be turnaround_ms (${turnaround}) or more: a late reply could pass for that of the next request`;
    context.addIssue({ code: 'custom', path: ['quiet_ms'], message });
  })
  .describe('One serial line; devices refer to it by its name.');

export const linesSchema = z
  .record(z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a name of small letters, digits and -'), line)
  .default({})
  .describe('Modbus RTU lines with several devices on them, by names of your own.');

export type LinesFile = z.output<typeof linesSchema>;
