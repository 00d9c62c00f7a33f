import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detect } from '../../diagnostics/detect.ts';
import { collectFacts } from '../../diagnostics/doctor/collect-facts.ts';
import { diagnose } from '../../diagnostics/doctor/doctor.ts';
import type { HostFacts, Issue } from '../../diagnostics/doctor/finding.ts';
import type { FailedPart, Json } from '../../diagnostics/firmware-report.ts';
import { HostRoot } from '../../diagnostics/host/host-root.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { HostTree } from '../transports/host-tree.ts';

/** A machine with a rig on it, as its files and its bridge show it. */
export interface Machine {
  tree: HostTree;
  /** Folder of the USB adapter at /dev/ttyUSB0. */
  usb: string;
  env: Record<string, string>;
  yaml: string;
  bridge: Json;
  health: Json | FailedPart;
  facts: Partial<HostFacts>;
  host: (root: string) => HostRoot;
}

const YAML =
  'plugins: {modbus-io: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/ttyUSB0}}}\n';

/** A Pi with one FTDI adapter, a bridge in real mode and nothing wrong with it, but for what `change` does to it. */
export async function issuesOn(change: Change = () => {}): Promise<Issue[]> {
  const tree = new HostTree();
  const folder = mkdtempSync(join(tmpdir(), 'findings-'));
  try {
    const usb = plug(tree, 'ttyUSB0', '1-1');
    const own = process.getgid?.() ?? 0;
    tree.write(join(tree.root, 'etc/group'), `root:x:0:\ndialout:x:${own}:\n`);
    tree.write(join(tree.root, 'etc/fstab'), 'PARTUUID=1-02 / ext4 defaults,noatime 0 1\n');
    tree.write(join(tree.root, 'proc/mounts'), '/dev/root / ext4 rw,noatime 0 0\n');
    tree.write(join(tree.root, 'proc/cmdline'), 'root=PARTUUID=1-02 rw quiet\n');
    tree.write(join(tree.root, 'proc/device-tree/model'), 'Raspberry Pi 4 Model B Rev 1.5\0');
    tree.write(join(tree.root, 'run/systemd/timesync/synchronized'), '');
    tree.write(join(tree.root, 'dev/kmsg'), '6,1,5000000,-;usb 1-1: new full-speed USB device number 5\n');
    const machine: Machine = {
      ...{
        tree,
        usb,
        env: {},
        yaml: YAML,
        facts: { nodeVersion: '24.1.0', nowMs: Date.parse('2026-06-01') },
      },
      bridge: {
        service: 'svc-bridge',
        mode: 'real',
        not_safe: null,
        operator_stop: null,
        guard: { watching: true },
      },
      health: {
        mode: 'real',
        bench: false,
        components: {
          'modbus-io': { status: 'ok', compatible: true, endpoint: '/dev/ttyUSB0@19200 8N1' },
          'sensor-adc': { status: 'ok', compatible: true },
        },
      },
      host: (root) => new HostRoot(root),
    };
    change(machine);
    const config = join(folder, 'svc.yaml');
    writeFileSync(config, machine.yaml);
    const host = machine.host(tree.root);
    const env = { SVC_CONFIG_PATH: config, SVC_STATE_DIR: folder, ...machine.env };
    const clock = systemClock;
    // No process listens there: what the bridge says is put in below.
    const firmware = { url: 'http://127.0.0.1:9', clock };
    const signals = await detect({ host, env, cwd: folder, firmware, clock, probeBudgetMs: undefined });
    const identify = { adapters: [], diagnostics: {} };
    const { bridge, health } = machine;
    signals.detection.firmware = { ...signals.detection.firmware, bridge, health, identify };
    const facts = await collectFacts({ host, env, clock, profile: undefined });
    return [...diagnose({ ...signals, facts: { ...facts, account: undefined, ...machine.facts } }).issues];
  } finally {
    tree.remove();
    rmSync(folder, { recursive: true });
  }
}

function plug(tree: HostTree, tty: string, name: string, serial?: string): string {
  const usb = tree.plugUsb({
    name,
    vid: '0403',
    pid: '6001',
    deviceNumber: 5,
    ...(serial ? { serial } : {}),
  });
  tree.plugTty(tty, join(usb, `${name}:1.0`, tty));
  const node = join(tree.roots.dev, tty);
  tree.write(node, '');
  chmodSync(node, 0o660);
  return usb;
}

const put = (machine: Machine, path: string, text: string) =>
  machine.tree.write(join(machine.tree.root, path), text);
const calibration = (more: string) =>
  `{kind: linear, id: cal-1, unit: mbar, scale: 100, offset: 0, calibrated_at: 2025-01-01, confirmed_at: 2025-01-02, confirmed_by: Anna${more}}`;

/** What changes a machine so that a finding is true of it. */
export type Change = (machine: Machine) => void;

/** Each code, what brings it about, and a word of its evidence. */
export const CAUSES: Readonly<Record<string, readonly [change: Change, evidence: string]>> = {
  duplicate_adapter_name: [
    (m) => {
      plug(m.tree, 'ttyUSB1', '1-2');
      m.tree.link(join(m.tree.roots.dev, 'serial/by-id/usb-FTDI-if00'), join(m.tree.roots.dev, 'ttyUSB1'));
      m.tree.link(join(m.tree.roots.dev, 'serial/by-path/usb-0:2:1.0'), join(m.tree.roots.dev, 'ttyUSB1'));
    },
    'by-path',
  ],
  udev_rule_not_applied: [
    (m) => {
      put(m, 'etc/udev/rules.d/99-svc-rig.rules', 'ENV{ID_MM_DEVICE_IGNORE}="1"');
      chmodSync(join(m.tree.roots.dev, 'ttyUSB0'), 0o600);
    },
    'mode 0600',
  ],
  permission_needs_relogin: [
    (m) => {
      put(m, 'etc/group', 'dialout:x:20:anna\n');
      m.facts = { ...m.facts, account: { name: 'anna', groups: [1000] } };
    },
    'dialout',
  ],
  modem_manager_probes: [(m) => put(m, 'proc/700/comm', 'ModemManager\n'), 'ModemManager'],
  brltty_claims_port: [
    (m) => {
      m.yaml = YAML.replace('ttyUSB0', 'ttyUSB9');
      put(
        m,
        'dev/kmsg',
        "6,2,6000000,-;usb 1-2: usbfs: interface 0 claimed by ftdi_sio while 'brltty' sets config #1\n",
      );
    },
    'brltty',
  ],
  usb_autosuspend_on: [(m) => m.tree.write(join(m.usb, 'power/control'), 'auto\n'), 'auto'],
  usb_latency_16ms: [(m) => m.tree.write(join(m.usb, '1-1:1.0/ttyUSB0/latency_timer'), '16\n'), '16'],
  usb_over_current: [
    (m) => put(m, 'sys/bus/usb/devices/1-0:1.0/usb1-port2/over_current_count', '1\n'),
    'usb1-port2',
  ],
  usb_disconnects: [
    (m) => put(m, 'dev/kmsg', '3,9,7000000,-;usb 1-1: device descriptor read/64, error -71\n'),
    'error -71',
  ],
  port_handle_deleted: [
    (m) => {
      put(m, 'proc/800/cmdline', 'node\0svc-pump\0');
      mkdirSync(join(m.tree.root, 'proc/800/fd'));
      symlinkSync('/dev/ttyUSB3 (deleted)', join(m.tree.root, 'proc/800/fd/7'));
    },
    'ttyUSB3 (deleted)',
  ],
  serial0_is_debug_port: [
    (m) => {
      put(m, 'dev/ttyAMA10', '');
      m.tree.link(join(m.tree.roots.dev, 'serial0'), join(m.tree.roots.dev, 'ttyAMA10'));
    },
    'ttyAMA10',
  ],
  serial0_is_mini_uart: [
    (m) => {
      put(m, 'dev/ttyS0', '');
      m.tree.link(join(m.tree.roots.dev, 'serial0'), join(m.tree.roots.dev, 'ttyS0'));
    },
    'ttyS0',
  ],
  i2c_address_shared: [
    (m) => {
      const sensors = {
        status: 'error',
        code: 'adc_foreign_config',
        message: 'config reads 8583 where C583 was written',
      };
      m.health = { mode: 'real', components: { 'sensor-adc': sensors } };
    },
    '8583',
  ],
  i2c_bus_stuck: [
    (m) => put(m, 'dev/kmsg', '3,9,7000000,-;i2c-bcm2835 3f804000.i2c: i2c transfer timed out\n'),
    'timed out',
  ],
  clock_not_synchronised: [
    (m) => {
      rmSync(join(m.tree.root, 'run/systemd/timesync/synchronized'));
    },
    'absent',
  ],
  disk_full: [
    (m) => {
      m.host = (root) =>
        new (class extends HostRoot {
          override use() {
            return { blocks: 0.4, inodes: 0.99 };
          }
        })(root);
    },
    'inodes 99 %',
  ],
  root_read_only_unexpected: [
    (m) => put(m, 'proc/mounts', '/dev/root / ext4 ro,noatime 0 0\n'),
    'ro,noatime',
  ],
  device_permission_denied: [
    (m) => {
      m.host = (root) =>
        new (class extends HostRoot {
          override mayUse() {
            return false;
          }
        })(root);
    },
    'mode 0660',
  ],
  serial_console_active: [
    (m) => {
      m.env.UARTADC_SERIAL_PORT = '/dev/ttyAMA0';
      put(m, 'dev/ttyAMA0', '');
      put(m, 'proc/cmdline', 'console=ttyAMA0,115200 root=/dev/mmcblk0p2 rw\n');
    },
    'console',
  ],
  i2c_bus_missing: [
    (m) => {
      m.yaml = 'plugins: {sensor-adc: {connection_type: i2c, connection_params: {bus: 1}}}\n';
    },
    'i2c-dev',
  ],
  undervoltage_active: [
    (m) => {
      put(m, 'sys/class/hwmon/hwmon1/name', 'rpi_volt\n');
      put(m, 'sys/class/hwmon/hwmon1/in0_lcrit_alarm', '1\n');
    },
    'in0_lcrit_alarm 1',
  ],
  undervoltage_since_boot: [
    (m) => put(m, 'sys/devices/platform/soc/soc:firmware/get_throttled', '50000\n'),
    'throttled',
  ],
  guard_absent: [
    (m) => {
      m.bridge = { ...m.bridge, guard: { watching: false } };
    },
    'watching false',
  ],
  host_name_conflict: [
    (m) => put(m, 'run/svc-rig-name.json', '{"name":"rig-0042","others":["10.0.0.7"]}'),
    '10.0.0.7',
  ],
  card_problem: [
    (m) => put(m, 'data/svc-rig/first-boot.json', '{"problems":["this card was first used elsewhere"]}'),
    'problems',
  ],
  rig_txt_not_applied: [
    (m) =>
      put(m, 'data/svc-rig/first-boot.json', '{"faults":[{"line":3,"message":"colour is not a setting"}]}'),
    'line 3',
  ],
  actuator_supply_off: [
    (m) => {
      m.bridge = {
        ...m.bridge,
        supply: { off: 'the contact is welded', relay_tested_at: '2026-06-01T09:00:00Z' },
      };
    },
    'welded',
  ],
  relay_untested: [
    (m) => {
      m.bridge = { ...m.bridge, supply: { off: null, relay_tested_at: null } };
    },
    'relay_tested_at: null',
  ],
  rig_not_safe: [
    (m) => {
      m.bridge = { ...m.bridge, not_safe: 'valve-3' };
    },
    'valve-3',
  ],
  operator_stop_latched: [
    (m) => {
      m.bridge = {
        ...m.bridge,
        operator_stop: { by: 'anna@rig', reason: 'operator', at: '2026-06-01T10:00:00Z' },
      };
    },
    'operator',
  ],
  config_stale_in_process: [
    (m) => {
      m.bridge = {
        ...m.bridge,
        configuration: { sha256: 'other', loaded_at: '2026-06-01T10:00:00Z', file: 'svc.yaml' },
      };
    },
    '2026-06-01T10:00:00Z',
  ],
  firmware_config_stale: [
    (m) => {
      m.health = {
        mode: 'real',
        components: { 'modbus-io': { status: 'ok', endpoint: '/dev/ttyUSB0@9600 8N1' } },
      };
    },
    '9600',
  ],
  modbus_output_mode: [
    (m) => {
      m.health = {
        mode: 'real',
        components: {
          'modbus-io': { status: 'error', code: 'valve_mode_not_normal', message: 'output 2 toggles' },
        },
      };
    },
    'output 2',
  ],
  calibration_confirmation_required: [
    (m) => {
      m.health = {
        mode: 'real',
        components: {
          'adc-stack': { status: 'ok', components: { hid: { calibration_confirmation_required: true } } },
        },
      };
    },
    'adc-stack',
  ],
  calibration_expired: [
    (m) => {
      m.yaml = `${YAML}sensors: {ai01: {calibration: ${calibration(', due_at: 2026-01-01')}}}\n`;
    },
    '2026-01-01',
  ],
  calibration_duplicate: [
    (m) => {
      const entry = calibration(', due_at: 2027-01-01');
      m.yaml = `${YAML}sensors: {ai01: {calibration: ${entry}}, ai02: {calibration: ${entry}}}\n`;
    },
    'already',
  ],
  config_overridden_by_env: [
    (m) => {
      m.yaml = YAML.replace('/dev/ttyUSB0}', '/dev/ttyUSB0, baudrate: 19200}');
      m.env.SVC_MODBUS_BAUD = '9600';
    },
    '9600',
  ],
  modbus_port_reserved: [
    (m) => {
      m.env.SVC_PUMP_SERIAL_PORT = '/dev/ttyUSB0';
    },
    'pump',
  ],
  usb_adc_kernel_driver: [
    (m) => {
      m.tree.plugMcp2221a({ name: '1-3', vid: '04d8', pid: '00dd', deviceNumber: 7, driver: 'mcp2221' });
    },
    'mcp2221',
  ],
  owner_scan_incomplete: [(m) => put(m, 'proc/900/comm', 'secret\n'), '1 unreadable'],
  node_end_of_life: [
    (m) => {
      m.facts = { ...m.facts, nodeVersion: '18.20.0' };
    },
    '18.20.0',
  ],
};
