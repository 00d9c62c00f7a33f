import type { Clock } from '../../../lib/clock/clock.ts';
import type { CodedError } from '../../../lib/errors/coded-error.ts';
import { VALVE_IDS } from '../names.ts';
import type { Component, ValvePort } from '../ports.ts';
import type { ValveDevice } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, safeStep, slotLife, slotOf } from './access.ts';
import { realComponent } from './component.ts';
import { exchange, type ValveDriver } from './drivers.ts';

const DEVICE = 'modbus-io';

/** Inrush current: valves open at least this far apart. Closing is immediate (devices specification, section 6). */
const OPEN_SPACING_MS = 100;

/** The IO module with the valves, on a Modbus line of this process. */
export function drivenValves(access: DeviceAccess<ValveDriver>, clock: Clock): ValveDevice {
  return {
    ...slotLife(access),
    prepare: async () => {
      if (access.kind === 'slot') await access.slot.ensure().catch(() => {});
    },
    port: valvePort(access, clock),
    component: valveComponent(access, clock),
    steps: valveSteps(access),
  };
}

function valvePort(access: DeviceAccess<ValveDriver>, clock: Clock): ValvePort {
  let lastOpenedAt = Number.NEGATIVE_INFINITY;
  return {
    origin: originOf(access),
    set: async (coil, open, signal) => {
      const slot = slotOf(access, DEVICE);
      if (open) {
        const waitMs = lastOpenedAt + OPEN_SPACING_MS - clock.monotonic();
        if (waitMs > 0) await clock.sleep(waitMs, signal);
      }
      const options = exchange(open ? 'normal' : 'safe', signal);
      await slot.use((driver) => driver.setOutput(coil, open, options));
      if (open) lastOpenedAt = clock.monotonic();
      return { verified: true };
    },
    read: (signal) => slotOf(access, DEVICE).use((driver) => driver.readOutputs(exchange('normal', signal))),
  };
}

function valveSteps(access: DeviceAccess<ValveDriver>): ValveDevice['steps'] {
  return {
    valves_off: (signal) =>
      safeStep(access, DEVICE, signal, async (driver) => {
        await driver.allOff(exchange('safe', signal));
        return 'all outputs off, echo and read-back agree';
      }),
    valves_verify: (signal) =>
      safeStep(access, DEVICE, signal, async (driver) => {
        const outputs = await driver.readOutputs(exchange('safe', signal));
        const open = VALVE_IDS.filter((_, coil) => outputs[coil] !== false);
        if (open.length === 0) return 'FC01 reads 0 for all eight outputs';
        throw new RigError('valve_unverified', DEVICE, `still open by read-back: ${open.join(', ')}`);
      }),
  };
}

function valveComponent(access: DeviceAccess<ValveDriver>, clock: Clock): Component {
  return realComponent({
    id: DEVICE,
    access,
    clock,
    probe: async (driver, signal) => {
      await driver.probe(signal);
      return ['read_coils answered', ...driver.warnings].join('; ');
    },
    explain: explainModbus,
  });
}

/** Silence on an open port is told apart from a port that cannot be opened and from a wrong answer. */
function explainModbus(error: CodedError): { code: string; message: string } | undefined {
  if (error.code === 'device_timeout') {
    return {
      code: 'modbus_no_response',
      message: 'read_coils timed out; USB-serial adapter visible, RTU module did not answer',
    };
  }
  if (error.code === 'device_unavailable') return undefined;
  return { code: 'modbus_read_failed', message: `read_coils failed; ${error.message}` };
}
