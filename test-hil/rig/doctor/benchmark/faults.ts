import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { end } from '../../bench/program.ts';
import { hold, type Json } from '../doctor-rig.ts';
import { componentOf, type FaultyRig } from './faulty-rig.ts';

/** One thing that is wrong with a rig. */
export interface Fault {
  name: string;
  /** Two faults that share a place are not injected together. */
  places: readonly string[];
  /** Any of these codes names it; `code word`: with the word in its message. */
  causes: readonly string[];
  inject: (rig: FaultyRig) => Promise<void> | void;
}

const HARDWARE = '/api/v1/hardware/health';
const PLUGINS = {
  'modbus-io': 'modbus-io',
  pump: 'pump-motor',
  tic: 'lung-motor',
  ads1115: 'sensor-adc',
} as const;

/** Nor does it prove that it is off, when the rig is stopped. */
const notWell = (id: string): string[] => [`adapter_${id}_health_not_ok`, `rig_not_safe ${id}`];

/** A knob of a twin, which the bridge has noticed. */
const knob = (
  name: string,
  place: keyof typeof PLUGINS,
  patch: Record<string, unknown>,
  causes: readonly string[] = notWell(PLUGINS[place]),
): Fault => ({
  name,
  places: [place],
  causes,
  inject: async (rig) => {
    await rig.rig.knobs(place, patch);
    const id = PLUGINS[place];
    await rig.untilBridge(HARDWARE, (health) => {
      return componentOf(health, id).status !== 'ok';
    });
  },
});

/** A knob that a driver sees when it opens the device. */
const knobAtOpening = (
  name: string,
  place: keyof typeof PLUGINS,
  patch: Record<string, unknown>,
  code?: string,
): Fault => ({
  name,
  places: [place],
  causes: code ? [code] : notWell(PLUGINS[place]),
  inject: async (rig) => {
    await rig.rig.knobs(place, patch);
    await rig.restartBridge(rig.yaml);
  },
});

/** Files of the machine. */
const files = (code: string, name: string, inject: Fault['inject'], place = code): Fault => ({
  name,
  places: [place],
  causes: [code],
  inject,
});

const SILENT_LINE = ['modbus_adapter_only', ...notWell('modbus-io')];
const kernelLog = (line: string) => `6,1,4900000000,-;boot\n3,9,4990000000,-;${line}\n`;
const withParams = (rig: FaultyRig, params: string) =>
  rig.yaml.replace(/(modbus-io: .*connection_params: \{ serial_port: [^ ,}]+)/, `$1, ${params}`);

/** Stops the bridge, as doctor advises before it probes the line itself. */
const withoutBridge = async (rig: FaultyRig, yaml: string) => {
  rig.rig.configure(yaml);
  await end(rig.bridge, 'SIGTERM');
};

export const FAULTS: readonly Fault[] = [
  knob('valve board without supply', 'modbus-io', { deaf: true }, SILENT_LINE),
  knob('valve board acts, sends no reply', 'modbus-io', { silent: true }, SILENT_LINE),
  knob('valve board has another unit id', 'modbus-io', { device_id: 9 }, SILENT_LINE),
  knob('valve board is set to 9600', 'modbus-io', { baud: 9600 }, [...SILENT_LINE, 'modbus_config_mismatch']),
  knob('valve board is set to odd parity', 'modbus-io', { parity: 'odd' }, [
    ...SILENT_LINE,
    'modbus_config_mismatch',
  ]),
  knob("noise on the valves' line", 'modbus-io', { bad_crc: true }, SILENT_LINE),
  knob('valve adapter unplugged', 'modbus-io', { unplugged: true }, ['modbus_not_detected']),
  knob('pump adapter unplugged', 'pump', { unplugged: true }),
  knob('pump silent', 'pump', { silent: true }),
  knobAtOpening('another device in the place of the pump', 'pump', { wrong_pid: true }),
  knob('lung unplugged', 'tic', { unplug: true }),
  knobAtOpening('another Tic in the place of the lung', 'tic', { product_id: 0x00b3 }),
  knob('sensor ADC does not acknowledge', 'ads1115', { nack: true }),
  knob('sensor ADC unplugged', 'ads1115', { unplugged: true }),
  knob('sensor ADC does not finish a conversion', 'ads1115', { slow: true }),
  knob('two devices at the address of the sensor ADC', 'ads1115', { foreign_config: true }, [
    'i2c_address_shared',
  ]),
  knobAtOpening(
    'an output follows its input',
    'modbus-io',
    { modes: [0, 0, 1, 0, 0, 0, 0, 0] },
    'modbus_output_mode',
  ),
  {
    name: 'an output does not go off',
    places: ['modbus-io'],
    causes: ['rig_not_safe'],
    inject: async (rig) => {
      await rig.rig.actuate(rig.bridge);
      await rig.rig.knobs('modbus-io', { coil_stuck: [2] });
      await rig.rig.svcctl(['stop', '--firmware-url', rig.bridge.url]).ended;
      await rig.untilBridge('/health', ({ not_safe }) => typeof not_safe === 'string');
    },
  },
  {
    name: 'stopped by an operator',
    places: ['modbus-io'],
    causes: ['operator_stop_latched'],
    inject: async (rig) => {
      await rig.rig.svcctl(['stop', '--firmware-url', rig.bridge.url]).ended;
      await rig.untilBridge('/health', ({ operator_stop }) => Boolean(operator_stop));
    },
  },
  {
    name: "another program has the valves' port open",
    places: ['port'],
    causes: ['serial_port_busy'],
    inject: async (rig) => rig.adopt(await hold(rig.rig.twin('modbus-io'))),
  },
  {
    name: 'ModemManager runs',
    places: ['ModemManager'],
    causes: ['modem_manager_probes'],
    inject: (rig) => {
      const program = join(rig.rig.folder, 'ModemManager');
      copyFileSync('/bin/sleep', program);
      chmodSync(program, 0o755);
      rig.adopt(spawn(program, ['600'], { stdio: 'ignore' }));
    },
  },

  {
    name: 'svc.yaml is no YAML',
    places: ['config'],
    causes: ['config_unavailable'],
    inject: ({ rig }) => rig.configure('plugins: {modbus-io: [\n'),
  },
  {
    name: 'svc.yaml has an unknown key',
    places: ['config'],
    causes: ['config_unavailable'],
    inject: ({ rig, yaml }) => rig.configure(`${yaml}valvess: {}\n`),
  },
  {
    name: 'svc.yaml is gone',
    places: ['config'],
    causes: ['config_unavailable'],
    inject: ({ rig }) => rmSync(join(rig.folder, 'svc.yaml')),
  },
  {
    name: 'a variable wins over a value of svc.yaml',
    places: ['config'],
    causes: ['config_overridden_by_env'],
    inject: (rig) => {
      rig.env = { ...rig.env, SVC_MODBUS_SERIAL_PORT: '/dev/ttyUSB7' };
    },
  },
  {
    name: 'a variable that the bridge was not started with',
    places: ['config'],
    causes: ['firmware_config_stale', 'modbus_config_mismatch SVC_MODBUS_BAUD'],
    inject: (rig) => {
      rig.env = { ...rig.env, SVC_MODBUS_BAUD: '9600' };
    },
  },
  {
    name: 'the rate in svc.yaml was changed and not applied',
    places: ['config'],
    causes: ['firmware_config_stale'],
    inject: (rig) => rig.rig.configure(withParams(rig, 'baudrate: 9600')),
  },
  {
    name: 'a limit in svc.yaml was changed and not applied',
    places: ['config'],
    causes: ['config_stale_in_process'],
    inject: (rig) => rig.rig.configure(`${rig.yaml}limits: { pump: { max_power_pct: 70 } }\n`),
  },
  {
    name: 'the rate in svc.yaml is wrong',
    places: ['config'],
    causes: [...SILENT_LINE, 'modbus_config_mismatch'],
    inject: async (rig) => {
      await rig.restartBridge(withParams(rig, 'baudrate: 9600'));
      await rig.untilBridge(
        HARDWARE,
        (health) => componentOf(health, 'modbus-io').code === 'modbus_no_response',
      );
    },
  },
  {
    name: 'the port in svc.yaml is wrong',
    places: ['config'],
    causes: ['modbus_config_mismatch', 'modbus_not_detected /dev/ttyUSB9'],
    inject: (rig) =>
      rig.restartBridge(rig.yaml.replace(/(modbus-io: .*serial_port: )[^ ,}]+/, '$1/dev/ttyUSB9')),
  },
  {
    name: 'calibrations are overdue',
    places: ['config'],
    causes: ['calibration_expired'],
    inject: (rig) => rig.restartBridge(rig.yaml.replaceAll(/2099-12-31/g, '2026-01-01')),
  },
  {
    name: 'two inputs have one calibration',
    places: ['config'],
    causes: ['calibration_duplicate', 'config_unavailable'],
    inject: (rig) => rig.rig.configure(rig.yaml.replaceAll(/bench-ai0\d/g, 'bench-ai01')),
  },
  {
    name: 'the rate in svc.yaml is wrong, bridge stopped',
    places: ['config'],
    causes: ['modbus_config_mismatch'],
    inject: (rig) => withoutBridge(rig, withParams(rig, 'baudrate: 9600')),
  },
  {
    name: 'the unit id in svc.yaml is wrong, bridge stopped',
    places: ['config'],
    causes: ['modbus_device_id_mismatch'],
    inject: (rig) => withoutBridge(rig, withParams(rig, 'device_id: 2')),
  },
  {
    name: "the pump is configured at the valves' port",
    places: ['config'],
    causes: ['modbus_port_reserved'],
    inject: (rig) => {
      rig.env = { ...rig.env, SVC_PUMP_SERIAL_PORT: '/dev/ttyUSB0' };
    },
  },

  files('usb_autosuspend_on', 'USB autosuspend', (rig) => rig.write(`${rig.usb}/power/control`, 'auto\n')),
  files('usb_latency_16ms', 'latency of the FTDI driver', (rig) =>
    rig.write(`${rig.usb}/1-1:1.0/ttyUSB0/latency_timer`, '16\n'),
  ),
  files('usb_over_current', 'over-current at a USB port', (rig) =>
    rig.write('sys/bus/usb/devices/1-0:1.0/usb1-port2/over_current_count', '1\n'),
  ),
  files(
    'usb_disconnects',
    'bad USB cable',
    (rig) => rig.write('dev/kmsg', kernelLog('usb 1-1: device descriptor read/64, error -71')),
    'kmsg',
  ),
  files(
    'i2c_bus_stuck',
    'I2C bus held low',
    (rig) => rig.write('dev/kmsg', kernelLog('i2c-bcm2835 3f804000.i2c: i2c transfer timed out')),
    'kmsg',
  ),
  files('port_handle_deleted', 'a program kept the handle of a device that is gone', (rig) => {
    rig.write('proc/9999999/cmdline', 'node\0svc-pump\0');
    rig.link('proc/9999999/fd/7', '/dev/ttyUSB3 (deleted)');
  }),
  files(
    'serial0_is_debug_port',
    'serial0 is the debug port',
    (rig) => {
      rig.write('dev/ttyAMA10', '');
      rig.link('dev/serial0', 'ttyAMA10');
    },
    'serial0',
  ),
  files(
    'serial0_is_mini_uart',
    'serial0 is the mini-UART',
    (rig) => {
      rig.write('dev/ttyS0', '');
      rig.link('dev/serial0', 'ttyS0');
    },
    'serial0',
  ),
  files(
    'serial_console_active',
    'a console on the UART of the ADC module',
    (rig) => {
      rig.write('dev/ttyAMA0', '');
      rig.link('dev/serial0', 'ttyAMA0');
      rig.write('proc/cmdline', 'console=ttyAMA0,115200 root=PARTUUID=1-02 rw\n');
    },
    'serial0',
  ),
  files('clock_not_synchronised', 'clock not synchronised', (rig) =>
    rig.remove('run/systemd/timesync/synchronized'),
  ),
  files('root_read_only_unexpected', 'root file system read-only', (rig) =>
    rig.write('proc/mounts', '/dev/root / ext4 ro,noatime 0 0\n'),
  ),
  files(
    'undervoltage_active',
    'supply too low now',
    (rig) => {
      rig.write('sys/class/hwmon/hwmon1/name', 'rpi_volt\n');
      rig.write('sys/class/hwmon/hwmon1/in0_lcrit_alarm', '1\n');
    },
    'supply',
  ),
  files(
    'undervoltage_since_boot',
    'supply was too low',
    (rig) => rig.write('sys/devices/platform/soc/soc:firmware/get_throttled', '50000\n'),
    'supply',
  ),
  files('udev_rule_not_applied', 'udev rule not applied', (rig) => {
    rig.write('etc/udev/rules.d/99-svc-rig.rules', 'ENV{ID_MM_DEVICE_IGNORE}="1"');
    chmodSync(rig.rig.twin('modbus-io'), 0o620);
  }),
  files('usb_adc_kernel_driver', 'kernel driver owns the USB ADC', (rig) => {
    rig.tree.plugMcp2221a({ name: '1-3', vid: '04d8', pid: '00dd', deviceNumber: 7, driver: 'mcp2221' });
  }),
  files('duplicate_adapter_name', 'two adapters of one name', async (rig) => {
    await rig.plugSecond();
    rig.link('dev/serial/by-id/usb-FTDI-if00', '../../ttyUSB1');
    rig.link('dev/serial/by-path/usb-0:2:1.0', '../../ttyUSB1');
  }),

  {
    name: 'bridge killed',
    places: ['bridge'],
    causes: ['firmware_unreachable'],
    inject: async (rig) => void (await end(rig.bridge, 'SIGKILL')),
  },
  {
    name: 'bridge frozen',
    places: ['bridge'],
    causes: ['firmware_unreachable'],
    inject: (rig) => void process.kill(rig.bridge.pid, 'SIGSTOP'),
  },
  {
    name: 'bridge hangs and no guard runs',
    places: ['bridge', 'guard'],
    causes: ['firmware_unreachable'],
    inject: async (rig) => {
      await end(rig.guard, 'SIGKILL');
      process.kill(rig.bridge.pid, 'SIGSTOP');
    },
  },
  {
    name: 'bridge in mock mode',
    places: ['bridge', 'guard', 'config'],
    causes: ['firmware_not_real'],
    inject: (rig) =>
      rig.restartBridge(rig.yaml, { SVC_HARDWARE_MODE: 'mock' }, ({ mode }) => mode === 'mock'),
  },
  {
    name: 'guard killed',
    places: ['guard'],
    causes: ['guard_absent'],
    inject: async (rig) => {
      await end(rig.guard, 'SIGKILL');
      await rig.untilBridge('/health', isUnwatched);
    },
  },
  {
    name: 'guard frozen',
    places: ['guard'],
    causes: ['guard_absent'],
    inject: async (rig) => {
      process.kill(rig.guard.pid, 'SIGSTOP');
      await rig.untilBridge('/health', isUnwatched);
    },
  },
];

function isUnwatched({ guard }: Json): boolean {
  return (guard as Json).watching === false;
}

const LAST = ['config', 'guard', 'bridge'];
const rank = ({ places: [first = ''] }: Fault): number => LAST.indexOf(first);

/** In the order in which they are injected: first those that only a running bridge notices. */
export const inOrder = (faults: readonly Fault[]): Fault[] =>
  [...faults].sort((one, other) => rank(one) - rank(other));
