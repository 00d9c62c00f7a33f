import { Mcp2221a } from '../../../src/devices/mcp2221a/driver.ts';
import type { AdcOutcome } from '../../../src/devices/mcp2221a/usb-adc.ts';
import type { Clock } from '../../../src/lib/clock/clock.ts';
import { LinuxHid } from '../../../src/transports/hid/linux-hid.ts';
import type { HidEndpoint, PassedOver } from '../../../src/transports/index.ts';

const ADC = { address: 'hid:04d8:00dd', vendorId: 0x04d8, productId: 0x00dd, backend: 'auto' } as const;

/** The driver of the USB ADC on whatever the guest's kernel offers. */
export function adcCommands(clock: Clock) {
  const transport = new LinuxHid(ADC);
  const adc = new Mcp2221a(transport, { clock });
  return {
    /** @returns the way that was taken, and those before it in the order */
    openAdc: async (): Promise<{ endpoint: HidEndpoint | undefined; passedOver: readonly PassedOver[] }> => {
      await adc.open();
      return { endpoint: transport.endpoint, passedOver: transport.passedOver };
    },
    closeAdc: () => adc.close(),
    /** Opens the interface and closes it at once, on a handle of its own. */
    openAndCloseHid: async (): Promise<void> => {
      const own = new LinuxHid(ADC);
      await own.open();
      await own.close();
    },
    adcState: () => adc.state,
    adcIdentity: () => adc.identify(),
    /** Each of `count` readings: the raw words and the voltages of G1, G2, G3. */
    readAdc: async (count: number) => (await adc.readMany(count)).map((row) => row.map(readingOf)),
  };
}

function readingOf(outcome: AdcOutcome): { input: string; raw: number; volts: number; verified: boolean } {
  if (!outcome.ok) throw outcome.error;
  const { physicalInput, raw10bit, volts, verified } = outcome.sample;
  return { input: physicalInput, raw: raw10bit, volts, verified };
}
