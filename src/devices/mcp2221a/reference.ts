import { DeviceError } from '../device-error.ts';
import type { ReferenceSource } from './protocol/sram.ts';
import { DEVICE } from './usb-adc.ts';

export const LOWEST_REFERENCE_VOLTS = 1.0;
export const HIGHEST_REFERENCE_VOLTS = 5.5;
export const REFERENCE_SOURCES: readonly ReferenceSource[] = ['vdd', '1.024', '2.048', '4.096'];

export interface AdcReference {
  source: ReferenceSource;
  volts: number;
}

/**
 * Checks the settings `USBADC_REFERENCE_SOURCE` and `USBADC_REFERENCE_VOLTAGE`.
 *
 * @param referenceVolts voltage of the supply, 1.0..5.5; not used with a reference of the chip, whose voltage is its
 *   name
 * @throws DeviceError `setting_refused`
 */
export function adcReference(referenceSource: string, referenceVolts: number): AdcReference {
  const source = REFERENCE_SOURCES.find((known) => known === referenceSource);
  if (!source) {
    const message = `reference source "${referenceSource}" is not one of ${REFERENCE_SOURCES.join(', ')}`;
    throw refused(`${message}; correct USBADC_REFERENCE_SOURCE`);
  }
  // A nonsensical voltage is refused also where it would not be used: no one meant it.
  if (!(referenceVolts >= LOWEST_REFERENCE_VOLTS && referenceVolts <= HIGHEST_REFERENCE_VOLTS)) {
    const range = `${LOWEST_REFERENCE_VOLTS} to ${HIGHEST_REFERENCE_VOLTS} V`;
    throw refused(`a reference of ${referenceVolts} V is not ${range}; correct USBADC_REFERENCE_VOLTAGE`);
  }
  return { source, volts: source === 'vdd' ? referenceVolts : Number(source) };
}

function refused(message: string): DeviceError {
  return new DeviceError('setting_refused', `${DEVICE}: ${message}`, { device: DEVICE });
}
