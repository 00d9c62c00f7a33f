import { type Check, type DoctorSignals, type Found, seen } from '../finding.ts';
import { component } from './bridge.ts';
import { lineOf, recentLines } from './usb.ts';

/** Share of blocks or inodes above which records can no longer be relied on. */
const FULL = 0.95;
/** Last day of support of each major version of Node. */
const END_OF_LIFE: Readonly<Record<number, string>> = {
  18: '2025-04-30',
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
};

/** Group D: on-board buses, disk, clock and run time. */
export const systemChecks: readonly Check[] = [
  {
    code: 'serial0_is_debug_port',
    severity: 'warn',
    repair: 'enable_header_uart',
    find: (signals) => {
      if (serial0(signals) !== '/dev/ttyAMA10') return undefined;
      return {
        message:
          '/dev/serial0 is ttyAMA10, the debug connector of the Pi 5; the UART ADC module is on the header',
        evidence: [seen('/dev/serial0', '/dev/ttyAMA10')],
        cause: 'the UART of the header (ttyAMA0) is not enabled',
        remedy: 'add dtparam=uart0 to config.txt, reboot, and set UARTADC_SERIAL_PORT=/dev/ttyAMA0',
      };
    },
  },
  {
    code: 'serial0_is_mini_uart',
    severity: 'warn',
    repair: 'use_full_uart',
    find: (signals) => {
      const model = signals.facts.host.read('/proc/device-tree/model') ?? '';
      if (!model.includes('Raspberry Pi') || serial0(signals) !== '/dev/ttyS0') return undefined;
      return {
        message: '/dev/serial0 is the mini-UART; its bit rate follows the clock of the processor',
        evidence: [
          seen('/dev/serial0', '/dev/ttyS0'),
          seen('/proc/device-tree/model', model.replace(/\0/g, '')),
        ],
        cause: 'Bluetooth has the full UART',
        remedy: 'add dtoverlay=disable-bt to config.txt, sudo systemctl disable hciuart, reboot',
      };
    },
  },
  {
    code: 'i2c_address_shared',
    severity: 'error',
    repair: 'change_i2c_address',
    find: (signals) => {
      const sensors = component(signals, 'sensor-adc');
      const text = JSON.stringify(sensors ?? {});
      if (!text.includes('adc_foreign_config')) return undefined;
      return {
        message: 'something else writes to the sensor ADC: its configuration is not what was written',
        evidence: [seen('GET /api/v1/hardware/health', sensors?.message)],
        cause:
          'two devices answer at one I2C address (a DFR1184 in I2C mode is 0x48 too), or another program uses the bus',
        remedy: 'set the DFR1184 to UART with its switch, or give one of the two another address',
      };
    },
  },
  {
    code: 'i2c_bus_stuck',
    severity: 'error',
    repair: 'free_i2c_bus',
    find: ({ facts: { kernelLog, uptimeS } }) => {
      const recent = kernelLog && recentLines(kernelLog, uptimeS).join('\n');
      const line = lineOf(recent, /i2c.*(transfer timed out|SDA.*(low|stuck)|bus (is )?(stuck|busy))/i);
      if (line === undefined) return undefined;
      return {
        message: 'an I2C bus does not become free',
        evidence: [seen('kernel log', line)],
        cause: 'a chip holds SDA low, a wire is shorted, or pull-up resistors are missing',
        remedy: 'cut the supply of the sensors for 10 s; if it stays, unplug them one by one',
      };
    },
  },
  {
    code: 'clock_not_synchronised',
    severity: 'warn',
    repair: 'synchronise_clock',
    find: ({ facts: { host } }) => {
      if (host.stat('/run/systemd/timesync') === undefined)
        return { notChecked: 'systemd-timesyncd does not run here' };
      if (host.stat('/run/systemd/timesync/synchronized') !== undefined) return undefined;
      return {
        message: 'the clock of this machine is not synchronised; records and due dates carry its time',
        evidence: [seen('/run/systemd/timesync/synchronized', 'absent')],
        cause: 'no time server is reachable, and the Pi has no battery clock',
        remedy:
          'connect the network, or set NTP= in /etc/systemd/timesyncd.conf to a server of the site; timedatectl shows it',
      };
    },
  },
  {
    code: 'disk_full',
    severity: 'error',
    repair: 'free_disk',
    find: ({ facts: { host, env } }) => {
      const paths = ['/', '/var/log', env.SVC_STATE_DIR || '/var/lib/svc'];
      return paths.flatMap((path): Found[] => {
        const use = host.use(path);
        const full = (['blocks', 'inodes'] as const).filter((what) => (use?.[what] ?? 0) > FULL);
        if (!use || full.length === 0) return [];
        return [
          {
            message: `the file system of ${path} is full (${full.map((what) => `${what} ${percent(use[what])}`).join(', ')})`,
            evidence: [
              seen(`statfs ${path}`, `blocks ${percent(use.blocks)}, inodes ${percent(use.inodes)}`),
            ],
            cause: 'records, logs or images fill the card',
            remedy: `df -h ${path}; df -i ${path}; move old runs away, sudo journalctl --vacuum-size=100M`,
          },
        ];
      });
    },
  },
  {
    code: 'root_read_only_unexpected',
    severity: 'error',
    repair: 'replace_card',
    find: ({ facts: { host } }) => {
      const mounted = optionsOf(host.read('/proc/mounts'));
      const wanted = optionsOf(host.read('/etc/fstab'));
      if (!mounted?.includes('ro') || wanted?.includes('ro') !== false) return undefined;
      return {
        message: 'the root file system is mounted read-only',
        evidence: [
          seen('/proc/mounts', `/ ${mounted.join(',')}`),
          seen('/etc/fstab', `/ ${wanted.join(',')}`),
        ],
        cause: 'the kernel found errors on the card and stopped writing to it',
        remedy: 'save /var/lib/svc, replace the card, and restore; dmesg shows the errors',
      };
    },
  },
  {
    code: 'node_end_of_life',
    severity: 'info',
    repair: null,
    find: ({ facts: { nodeVersion, nowMs } }) => {
      const end = END_OF_LIFE[Number(nodeVersion.split('.')[0])];
      if (end === undefined || nowMs <= Date.parse(`${end}T23:59:59Z`)) return undefined;
      return {
        message: `Node ${nodeVersion} has had no security updates since ${end}`,
        evidence: [seen('process.version', nodeVersion)],
        cause: 'the version has reached its end of life',
        remedy:
          'install the current LTS version of Node; engines in package.json lists the versions that work',
      };
    },
  },
];

const percent = (share: number | null): string =>
  share === null ? 'unknown' : `${Math.round(share * 100)} %`;

/** Where `/dev/serial0` leads, when the UART ADC module is configured there. */
function serial0({ reserved: { uartModule }, facts: { host } }: DoctorSignals): string | undefined {
  return uartModule === '/dev/serial0' ? host.real('/dev/serial0') : undefined;
}

/** Mount options of `/` in a table of mounts. */
function optionsOf(table: string | undefined): string[] | undefined {
  const row = table
    ?.split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([device, path]) => path === '/' && device?.startsWith('#') === false);
  return row?.[3]?.split(',');
}
