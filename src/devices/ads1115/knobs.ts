import * as z from 'zod';

/** Volts put on the pin instead of what the plant gives; null for the plant. */
const pin = z.number().min(-0.3).max(12).nullable();

/** Knobs of the ADC twin. */
export const ads1115KnobsSchema = z.strictObject({
  ain0_v: pin,
  ain1_v: pin,
  ain2_v: pin,
  ain3_v: pin,
  /** Error of the measured voltage: volts = gain * volts at the pin + offset_v. */
  gain: z.number().min(0.5).max(2),
  offset_v: z.number().min(-1).max(1),
  nack: z.boolean(),
  permission_denied: z.boolean(),
  /** Conversions do not end. */
  slow: z.boolean(),
  /** Another program sets the chip to another input right after each start. */
  foreign_config: z.boolean(),
  /** Conversions run and end, and the register keeps the code that it has. */
  freeze: z.boolean(),
  /** A conversion measures the input of the start before. */
  late_mux: z.boolean(),
  /** The chip is off the bus: nothing acknowledges, and a bus of its own goes away. */
  unplugged: z.boolean(),
});

export type Ads1115Knobs = z.infer<typeof ads1115KnobsSchema>;

export const ads1115Knobs = (): Ads1115Knobs => ({
  ain0_v: null,
  ain1_v: null,
  ain2_v: null,
  ain3_v: null,
  gain: 1,
  offset_v: 0,
  nack: false,
  permission_denied: false,
  slow: false,
  foreign_config: false,
  freeze: false,
  late_mux: false,
  unplugged: false,
});
