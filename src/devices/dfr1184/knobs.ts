import * as z from 'zod';

/** Volts at the module's input instead of what the plant gives; null for the plant. */
const pin = z.number().min(0).max(167).nullable();
const byte = z.int().min(0).max(0xff).nullable();

/** Knobs of the UART module's twin. */
export const dfr1184KnobsSchema = z.strictObject({
  ain1_v: pin,
  ain2_v: pin,
  silent: z.boolean(),
  late_ms: z.number().min(0).max(60_000),
  /** Bytes of each answer that are sent; null for all. */
  truncate: z.int().min(0).max(256).nullable(),
  /** Share of the selections that are lost on their way: 0 none, 1 all. */
  lost_select: z.number().min(0).max(1),
  /** What a read of the selected input's register gives: the register, silence, or always 0. */
  select_readback: z.enum(['register', 'silent', 'zero']),
  /** Whether the module knows AT+AIN1=? and AT+AIN2=?; else ERROR. */
  text_form: z.boolean(),
  /** A byte that was not requested, sent after each selection of an input; null for none. */
  stale_byte: byte,
  /** A byte that follows each answer; null for none. */
  extra_byte: byte,
  /** Every sample, in units of 0.01 mV, also above 11 V (1100000); null for what is measured. */
  raw_override: z.int().min(0).max(0xff_ffff).nullable(),
  /** Each input keeps the value that it gave last; all else goes on. */
  freeze: z.boolean(),
  /** AT is answered with ERROR. */
  at_error: z.boolean(),
  corrupt: z.boolean(),
  doubled: z.boolean(),
  foreign: z.boolean(),
  /** The DIP switch stood on I2C at power-up: the serial line is dead. */
  dip_i2c: z.boolean(),
  /** Another program holds the port. */
  port_held: z.boolean(),
  /** The module is pulled out. */
  unplugged: z.boolean(),
});

export type Dfr1184Knobs = z.infer<typeof dfr1184KnobsSchema>;

export const dfr1184Knobs = (): Dfr1184Knobs => ({
  ain1_v: null,
  ain2_v: null,
  silent: false,
  late_ms: 0,
  truncate: null,
  lost_select: 0,
  select_readback: 'register',
  text_form: true,
  stale_byte: null,
  extra_byte: null,
  raw_override: null,
  freeze: false,
  at_error: false,
  corrupt: false,
  doubled: false,
  foreign: false,
  dip_i2c: false,
  port_held: false,
  unplugged: false,
});
