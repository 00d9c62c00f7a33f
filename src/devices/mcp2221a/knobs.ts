import * as z from 'zod';

/** Volts put on the pin instead of what the plant gives; null for the plant. */
const pin = z.number().min(-0.3).max(6).nullable();

/** Knobs of the twin `usbhid`. */
export const mcp2221aKnobsSchema = z.strictObject({
  /** Supply voltage: what the converters measure against with the source VDD. */
  vref: z.number().min(1).max(5.5),
  g1_v: pin,
  g2_v: pin,
  g3_v: pin,
  /** 7-bit addresses of the devices on the I2C bus: twins that are wired there, else rows of registers. */
  i2c_map: z.array(z.int().min(0x08).max(0x77)),
  /** No I2C device acknowledges. */
  nack: z.boolean(),
  sda_stuck: z.boolean(),
  scl_stuck: z.boolean(),
  /** A cancel before the first transfer wedges the I2C engine until power-up; false: this chip takes it for idle. */
  cancel_wedges: z.boolean(),
  /** The converters keep the words that they gave last; all else goes on. */
  freeze: z.boolean(),
  /** The device is pulled out; acted on by the one that holds its other end. */
  unplug: z.boolean(),
  /** Enumerated, takes every report and answers none. */
  silent: z.boolean(),
  /** Factory serial number in flash, 1 to 60 printable characters: that of another chip of the same kind. */
  factory_serial: z.string().regex(/^[\x20-\x7e]{1,60}$/),
  /** USB serial number in flash, up to 30 characters. */
  usb_serial: z.string().max(30),
  /** Added to the time of every answer. */
  reply_delay_ms: z.number().min(0).max(60_000),
  /** Result [1] of every answer; null for the chip's own. */
  result_byte: z.int().min(0).max(255).nullable(),
  /** Positions that a command does not define hold chance, not what earlier answers left there. */
  stale_bytes: z.boolean(),
  /** 60 is answered with 0 and changes nothing; a list names only the pins that do not follow. */
  ignore_sram_set: z.union([z.boolean(), z.array(z.int().min(0).max(3))]),
});

export type Mcp2221aKnobs = z.infer<typeof mcp2221aKnobsSchema>;

export const mcp2221aKnobs = (): Mcp2221aKnobs => ({
  vref: 3.3,
  g1_v: null,
  g2_v: null,
  g3_v: null,
  i2c_map: [],
  nack: false,
  sda_stuck: false,
  scl_stuck: false,
  cancel_wedges: true,
  freeze: false,
  unplug: false,
  silent: false,
  factory_serial: '01234567',
  usb_serial: '0000000000',
  reply_delay_ms: 0,
  result_byte: null,
  stale_bytes: false,
  ignore_sram_set: false,
});
