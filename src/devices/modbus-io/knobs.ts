import * as z from 'zod';
import { rtuKnobShape, rtuKnobs } from '../modbus-rtu/knobs.ts';

const COIL = z.int().min(0).max(7);

/** Bit rates of the board in the order of their codes in register 2000. */
export const BAUD_RATES = [4800, 9600, 19200, 38400, 57600, 115200, 128000, 256000] as const;
export type Baud = (typeof BAUD_RATES)[number];

/** In the order of their codes in register 2000; which of 1 and 2 is even is not certain. */
export const PARITIES = ['none', 'even', 'odd'] as const;

/** Knobs of the twin; each names what is wrong with the board or its line. */
export const modbusIoKnobsSchema = z.strictObject({
  ...rtuKnobShape,
  /** Line settings of the board; it understands nothing when they are not those of the line. */
  baud: z.literal(BAUD_RATES),
  parity: z.enum(PARITIES),
  device_id: z.int().min(1).max(255),
  /** Outputs that echo and do not move. */
  coil_stuck: z.array(COIL),
  /** Registers 1000-1007; null for a board without them. */
  modes: z.array(z.int().min(0).max(3)).length(8).nullable(),
  /** Levels of the eight inputs. */
  inputs: z.array(z.boolean()).length(8),
});

export type ModbusIoKnobs = z.infer<typeof modbusIoKnobsSchema>;

export const modbusIoKnobs = (baud: Baud, unit = 1): ModbusIoKnobs => ({
  ...rtuKnobs(),
  baud,
  parity: 'none',
  device_id: unit,
  coil_stuck: [],
  modes: [0, 0, 0, 0, 0, 0, 0, 0],
  inputs: [false, false, false, false, false, false, false, false],
});
