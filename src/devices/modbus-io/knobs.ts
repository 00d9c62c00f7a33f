import * as z from 'zod';

const COIL = z.int().min(0).max(7);

/** Bit rates of the board in the order of their codes in register 2000. */
export const BAUD_RATES = [4800, 9600, 19200, 38400, 57600, 115200, 128000, 256000] as const;
export type Baud = (typeof BAUD_RATES)[number];

/** In the order of their codes in register 2000; which of 1 and 2 is even is not certain. */
export const PARITIES = ['none', 'even', 'odd'] as const;
export type Parity = (typeof PARITIES)[number];

/** Knobs of the twin; each names what is wrong with the board or its line (devices.md section 11). */
export const modbusIoKnobsSchema = z.strictObject({
  /** Carries requests out and does not answer. */
  silent: z.boolean(),
  /** Hears nothing: does nothing and does not answer. */
  deaf: z.boolean(),
  /** Line settings of the board; it understands nothing when they are not those of the line. */
  baud: z.literal(BAUD_RATES),
  parity: z.enum(PARITIES),
  device_id: z.int().min(1).max(255),
  late_ms: z.number().min(0).max(60_000),
  bad_crc: z.boolean(),
  /** Bytes of each answer that are sent; null for all. */
  truncate: z.int().min(0).max(256).nullable(),
  doubled: z.boolean(),
  foreign: z.boolean(),
  /** Modbus exception given to every request; null for none. */
  exception: z.int().min(1).max(255).nullable(),
  /** Outputs that echo and do not move. */
  coil_stuck: z.array(COIL),
  /** Registers 1000-1007; null for a board without them. */
  modes: z.array(z.int().min(0).max(3)).length(8).nullable(),
  /** Levels of the eight inputs. */
  inputs: z.array(z.boolean()).length(8),
  /** Another program holds the port. */
  port_held: z.boolean(),
  /** The adapter is pulled out. */
  unplugged: z.boolean(),
});

export type ModbusIoKnobs = z.infer<typeof modbusIoKnobsSchema>;

export const modbusIoKnobs = (baud: Baud): ModbusIoKnobs => ({
  silent: false,
  deaf: false,
  baud,
  parity: 'none',
  device_id: 1,
  late_ms: 0,
  bad_crc: false,
  truncate: null,
  doubled: false,
  foreign: false,
  exception: null,
  coil_stuck: [],
  modes: [0, 0, 0, 0, 0, 0, 0, 0],
  inputs: [false, false, false, false, false, false, false, false],
  port_held: false,
  unplugged: false,
});
