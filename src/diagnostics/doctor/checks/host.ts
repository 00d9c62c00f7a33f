import { findHid } from '../../../transports/sysfs/find-hid.ts';
import { findUsb } from '../../../transports/sysfs/find-usb.ts';
import { consolePorts, isSamePort } from '../../host/serial-ports.ts';
import { type Check, type DoctorSignals, type Found, seen } from '../finding.ts';

/** Group D: the machine. */
export const hostChecks: readonly Check[] = [
  {
    code: 'usb_adc_kernel_driver',
    severity: 'warn',
    repair: 'free_hid_interface',
    find: ({ facts: { host, env } }) => {
      // Where the kernel driver made an IIO device the services read the voltages through that.
      const taken = findHid(0x04d8, 0x00dd, { sys: host.path('/sys'), dev: host.path('/dev') }).find(
        ({ kernelDriver, hidraw, iio }) => kernelDriver === 'mcp2221' && hidraw === null && iio === null,
      );
      if (!taken || env.USBADC_ADDRESS?.startsWith('bench:')) return undefined;
      return {
        message: 'the kernel driver hid_mcp2221 owns the USB ADC chip',
        evidence: [
          seen(`/sys/bus/usb/devices/${taken.interfaceName}`, 'driver mcp2221, no hidraw and no IIO device'),
        ],
        cause: 'the kernel binds its own driver to the chip, so the ADC service cannot open it',
        remedy:
          'install rootfs/etc/modprobe.d (blacklist hid_mcp2221), sudo rmmod hid_mcp2221, then plug the chip in again',
      };
    },
  },
  {
    code: 'device_permission_denied',
    severity: 'warn',
    repair: 'fix_permissions',
    find: (signals) => {
      const { host } = signals.facts;
      return configuredNodes(signals)
        .filter(({ path }) => host.stat(path) !== undefined && !host.mayUse(path))
        .map(({ path, device }): Found => {
          const stats = host.stat(path);
          const mode = ((stats?.mode ?? 0) & 0o777).toString(8).padStart(4, '0');
          const group = groupName(host.read('/etc/group'), stats?.gid);
          return {
            message: `this account may not open ${path} (${device})`,
            evidence: [seen(path, `mode ${mode}, group ${group}`)],
            cause: `the account is not in the group ${group}, or the udev rule of the rig is not installed`,
            remedy: `sudo usermod -aG ${group} $USER, then log in again; install udev/99-svc-rig.rules`,
          };
        });
    },
  },
  {
    code: 'serial_console_active',
    severity: 'warn',
    repair: 'disable_serial_console',
    find: ({ reserved: { uartModule }, facts: { host } }) => {
      const [port, why] = [...consolePorts(host)].find(([one]) => isSamePort(host, one, uartModule)) ?? [];
      if (port === undefined) return undefined;
      return {
        message: `a console uses ${port}, the port of the UART ADC module`,
        evidence: [seen(port, why)],
        cause: 'the kernel or a login prompt writes on the line of the module',
        remedy: `sudo raspi-config nonint do_serial_cons 1 (or remove console= from cmdline.txt and disable serial-getty), then reboot`,
      };
    },
  },
  {
    code: 'i2c_bus_missing',
    severity: 'warn',
    repair: 'enable_i2c',
    find: ({ loaded, detection: { host }, facts: { env } }) => {
      const entry = loaded?.config.plugins.find(
        ({ id, enabled }) => id === 'sensor-adc' && enabled,
      )?.connection;
      const bus = entry?.type === 'i2c' ? entry.bus : env.SVC_I2C_BUS;
      if (!bus || bus.startsWith('bench:') || !('i2c_buses' in host) || host.i2c_buses.length > 0)
        return undefined;
      return {
        message: `the sensor ADC is configured on I2C bus ${bus}, this machine has none`,
        evidence: [seen('/sys/class/i2c-dev', 'empty')],
        cause: 'I2C is not enabled, or the module i2c-dev is not loaded',
        remedy: 'sudo raspi-config nonint do_i2c 0 (dtparam=i2c_arm=on), sudo modprobe i2c-dev',
      };
    },
  },
  {
    code: 'undervoltage_active',
    severity: 'error',
    repair: 'check_power_supply',
    find: ({ detection: { host } }) => {
      if (!('power' in host)) return { notChecked: host.error };
      const { power } = host;
      if (power.source === null) return { notChecked: power.reason ?? 'no source' };
      return power.undervoltage_now
        ? supplyFound('the supply of the computer is below its limit now', power.source)
        : undefined;
    },
  },
  {
    code: 'undervoltage_since_boot',
    severity: 'warn',
    repair: 'check_power_supply',
    find: ({ detection: { host } }) => {
      if (!('power' in host) || host.power.source === null) return undefined;
      const { undervoltage_now, undervoltage_since_boot, source } = host.power;
      if (undervoltage_since_boot === null) return { notChecked: `${source} reports the last 2 s only` };
      return undervoltage_since_boot && !undervoltage_now
        ? supplyFound('the supply of the computer was below its limit since it started', source)
        : undefined;
    },
  },
];

const supplyFound = (message: string, source: string): Found => ({
  message,
  evidence: [seen(source, source === 'hwmon' ? 'in0_lcrit_alarm 1' : 'throttled, bits 0 and 16')],
  cause: 'the power supply is too weak, its cable too thin, or USB devices draw too much',
  remedy: "use the maker's supply and cable (Pi 5: 5 V 5 A), put adapters on a powered hub",
});

interface Node {
  path: string;
  device: string;
}

/** Device nodes that the configuration names, and those of the plugged USB devices of the rig. */
export function configuredNodes({
  detection: { config },
  loaded,
  reserved,
  facts: { env, host },
}: DoctorSignals): Node[] {
  const roots = { sys: host.path('/sys'), dev: host.path('/dev') };
  const nodes: (Node | undefined)[] = [
    config.ok && config.modbus && config.path !== null
      ? { path: config.modbus.serial_port, device: 'valve board' }
      : undefined,
    reserved.pump === undefined ? undefined : { path: reserved.pump, device: 'pump' },
    env.UARTADC_SERIAL_PORT ? { path: env.UARTADC_SERIAL_PORT, device: 'UART ADC module' } : undefined,
  ];
  for (const { hidraw } of findHid(0x04d8, 0x00dd, roots))
    if (hidraw !== null) nodes.push({ path: host.nameOf(hidraw), device: 'USB ADC chip' });
  for (const { node } of findUsb(0x1ffb, 0x00c9, roots))
    nodes.push({ path: host.nameOf(node), device: 'lung motor' });
  const sensors = loaded?.config.plugins.find(
    ({ id, enabled }) => id === 'sensor-adc' && enabled,
  )?.connection;
  if (sensors?.type === 'i2c') nodes.push({ path: sensors.bus, device: 'sensor ADC' });
  return nodes.filter((node) => node !== undefined).filter(({ path }) => path.startsWith('/'));
}

export function groupName(groups: string | undefined, gid: number | undefined): string {
  const line = groups?.split('\n').find((one) => one.split(':')[2] === String(gid));
  return line?.split(':')[0] ?? String(gid);
}
