import { existsSync } from 'node:fs';
import type { Clock } from '../../../lib/clock/clock.ts';
import type { CodedError } from '../../../lib/errors/coded-error.ts';
import { mayUse, permissionFault } from '../../../transports/access-fault.ts';
import type { Component, ComponentHealth, VoltagePort } from '../ports.ts';
import type { VoltageDevice } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, slotLife, slotOf } from './access.ts';
import { realComponent } from './component.ts';
import { type AdcDriver, exchange } from './drivers.ts';

const DEVICE = 'sensor-adc';
const INPUTS = [0, 1, 2, 3] as const;

/** The converter on an I2C bus of this process. */
export function drivenVoltages(access: DeviceAccess<AdcDriver>, clock: Clock): VoltageDevice {
  return {
    ...slotLife(access),
    port: voltagePort(access),
    component: voltageComponent(access, clock),
    steps: {},
  };
}

function voltagePort(access: DeviceAccess<AdcDriver>): VoltagePort {
  return {
    origin: originOf(access),
    read: async (input, signal) => {
      const known = INPUTS.find((one) => one === input);
      if (known === undefined)
        throw new RigError('device_error', DEVICE, `has no input ${input}; inputs are 0..3`);
      const sample = await slotOf(access, DEVICE).use((driver) =>
        driver.read(known, exchange('normal', signal)),
      );
      return {
        value: sample.volts,
        unit: 'V',
        raw: sample.raw,
        saturated: sample.saturated,
        observedAt: sample.observedAt,
        adapter: DEVICE,
        physicalInput: `ADS1115.AIN${known}`,
        source: access.kind === 'slot' ? access.endpoint : DEVICE,
      };
    },
  };
}

function voltageComponent(access: DeviceAccess<AdcDriver>, clock: Clock): Component {
  const component = realComponent({
    id: DEVICE,
    access,
    clock,
    probe: async (driver, signal) => {
      // A chip that acknowledges and does not convert, or that another program sets, is not well.
      await driver.read(0, exchange('normal', signal));
      return 'ADS1115 answered';
    },
    explain: (error) => explainI2c(error, access.kind === 'slot' ? access.path : null),
  });
  const chip = access.kind === 'slot' ? chipAt(access.endpoint) : undefined;
  if (!chip) return component;
  return {
    ...component,
    check: async (signal) => {
      const health = await component.check(signal);
      return health.status === 'ok' ? { ...health, chip } : health;
    },
  };
}

/** Why the bus did not give an answer, by the transport's own code somewhere down the causes. */
const REASONS: Readonly<Record<string, string>> = {
  port_permission: 'permission_denied',
  port_absent: 'not_found',
  port_gone: 'not_found',
  i2c_nack: 'not_found',
};

/**
 * A missing permission, which a person grants, is distinguished from a chip that is absent.
 *
 * @param path file of the bus; looked at when the failure itself does not report, for example that of a missing package
 */
function explainI2c(error: CodedError, path: string | null): { code: string; message: string } | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? REASONS[at.code] : undefined;
    if (code !== undefined) return { code, message: `${code.replace('_', ' ')}: ${at.message}` };
  }
  if (error.code !== 'device_unavailable' || path === null || mayUse(path)) return undefined;
  if (existsSync(path))
    return {
      code: 'permission_denied',
      message: `permission denied: ${permissionFault(path, path, error).message}`,
    };
  const remedy = 'enable I2C (dtparam=i2c_arm=on), or correct the number of the bus';
  return { code: 'not_found', message: `not found: there is no ${path}; ${remedy}` };
}

/** @param endpoint for example `/dev/i2c-1#0x48`; undefined for a twin's socket, which is no bus of this machine */
function chipAt(endpoint: string): ComponentHealth['chip'] {
  const [, bus, address] = /^(?:i2c:)?\/dev\/i2c-(\d+)#(0x[0-9a-f]+)$/.exec(endpoint) ?? [];
  return bus === undefined || address === undefined
    ? undefined
    : { bus: Number(bus), address, name: 'ADS1115' };
}
