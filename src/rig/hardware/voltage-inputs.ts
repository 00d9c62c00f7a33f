/** Sensors of the voltage inputs, in the order of the inputs 0..3. */
export const SENSOR_IDS = ['ai01', 'ai02', 'ai03', 'ai04'];

/** The sensor ADC: single-ended at 4.096 V full scale, volts. */
export const ADS1115 = { range: [0, 4.096], step: 125e-6 } as const;
