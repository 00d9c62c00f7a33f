import type { HidTransport } from '../../transports/hid/hid-transport.ts';
import { DeviceError } from '../device-error.ts';
import type { Ask } from './configuration.ts';
import { isSilence, type Link } from './link.ts';
import { readSerialNumbers, type SerialNumbers } from './serial-numbers.ts';

/**
 * Leaves the transport open at the chip that nothing is objected to, wherever it is plugged in. Of the others only the
 * serial numbers are read.
 *
 * @throws DeviceError `wrong_device` with the last objection; `device_timeout` when a chip that could be the right one is
 *   silent; those of an exchange
 */
export async function requireOwnChip(
  link: Link,
  transport: HidTransport,
  ask: Ask,
  objection: (chip: SerialNumbers) => string | undefined,
): Promise<void> {
  const tried = new Set<string>();
  let fault: DeviceError | undefined;
  do {
    if (transport.endpoint) tried.add(transport.endpoint.path);
    try {
      const found = objection(await readSerialNumbers(ask));
      if (found === undefined) return;
      fault ??= link.fail('wrong_device', found, { reason: 'serial' });
    } catch (thrown) {
      if (!(thrown instanceof DeviceError && isSilence(thrown))) throw thrown;
      fault = thrown;
    }
  } while (await transport.openOther?.(tried));
  throw fault;
}
