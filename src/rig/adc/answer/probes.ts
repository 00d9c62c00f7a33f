import type { BankSource } from '../device/bank-source.ts';
import { BANK } from '../device/bank-source.ts';
import { HID_ADC, type HidAdc } from '../device/hid-adc.ts';
import { UART_ADC, type UartAdc } from '../device/uart-adc.ts';
import type { Answered, Probe } from './health.ts';

export interface HidAnswered extends Answered {
  /** Pins and reference were read back and are as set. */
  verified: boolean;
}

/** Step 6 of the open sequence. Behind the kernel's IIO driver the words are all that can be had. */
export function hidProbe(adc: HidAdc): Probe<HidAnswered> {
  return {
    device: HID_ADC,
    transport: 'hid',
    endpoint: () => adc.endpoint,
    isBench: () => adc.isBench,
    ask: async (limits) => {
      const { verified, faults } = await adc.verify(limits);
      const ok = verified || adc.backend === 'iio';
      return { ok, verified, message: verified ? '04D8:00DD answered' : faults.join('; ') };
    },
  };
}

/** AT, answered by OK. */
export function uartProbe(adc: UartAdc): Probe<Answered> {
  return {
    device: UART_ADC,
    transport: 'uart',
    endpoint: () => adc.endpoint,
    isBench: () => adc.isBench,
    ask: async (limits) => {
      await adc.probe(limits);
      const isProven = adc.selectionProof !== 'none';
      return { ok: true, message: isProven ? 'OK' : 'OK; readings cannot be proven to be of their input' };
    },
  };
}

/** One sample of each channel in use passes all checks. */
export function bankProbe(bank: BankSource): Probe<Answered> {
  return {
    device: BANK,
    transport: 'http',
    endpoint: () => bank.endpoint,
    isBench: () => bank.isBench,
    ask: async (limits) => ({ ok: true, message: `${await bank.probe(limits)} answered` }),
  };
}
