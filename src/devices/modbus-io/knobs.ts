import * as z from 'zod';

const COIL = z.int().min(0).max(7);

/** Knobs of the twin; each names what is wrong with the board or its line (devices.md section 11). */
export const modbusIoKnobsSchema = z.strictObject({
  silent: z.boolean(),
  /** Line settings of the board; it understands nothing when they are not those of the line. */
  baud: z.int().min(4800).max(256_000),
  parity: z.enum(['none', 'even', 'odd']),
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
  /** Another program holds the port. */
  port_held: z.boolean(),
  /** The adapter is pulled out. */
  unplugged: z.boolean(),
});

export type ModbusIoKnobs = z.infer<typeof modbusIoKnobsSchema>;

export const modbusIoKnobs = (baud: number): ModbusIoKnobs => ({
  silent: false,
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
  port_held: false,
  unplugged: false,
});
