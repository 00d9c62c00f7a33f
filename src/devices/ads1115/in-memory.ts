import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { hexOf } from '../../transports/hex.ts';
import type { I2cBus } from '../../transports/i2c/i2c-bus.ts';
import { denied, nack } from '../../transports/i2c/i2c-fault.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { Ads1115 } from './driver.ts';
import { type AdcInput, DEFAULT_ADDRESS } from './protocol.ts';
import { Ads1115Twin } from './twin.ts';

/** Driver and twin on one stepped clock, with nothing but transfers between them. */
export function ads1115InMemory(volts: (input: AdcInput) => number = () => 0.635) {
  const clock = new SteppedClock();
  const twin = new Ads1115Twin({ clock, volts });
  const seen: [write: string, read: string][] = [];
  let closes = 0;
  const bus: I2cBus = {
    address: 'memory',
    transfer: async (device, write, readCount) => {
      if (twin.knobs.value.unplugged) throw new TransportError('port_gone', 'memory', 'memory was unplugged');
      if (device !== DEFAULT_ADDRESS) throw nack('memory', device);
      const answer = twin.transfer(write, readCount);
      if (!answer.ok) throw answer.error === 'nack' ? nack('memory', device) : denied('memory');
      seen.push([hexOf(write), hexOf(answer.bytes)]);
      return answer.bytes;
    },
    close: async () => {
      closes += 1;
    },
  };
  const adc = new Ads1115(bus, { clock });
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  return { clock, twin, adc, bus, seen, step, closes: () => closes };
}
