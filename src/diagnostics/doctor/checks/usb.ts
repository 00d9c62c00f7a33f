import { basename } from 'node:path';
import { ADAPTER_VENDORS } from '../../../transports/sysfs/serial-ports.ts';
import { type Check, type DoctorSignals, type Found, seen } from '../finding.ts';

const RULES = '/etc/udev/rules.d/99-svc-rig.rules';
/** Longest answer time that a receive buffer may add, ms. */
const LATENCY_LIMIT_MS = 2;
/** So many within `RECENT_S` are no plugging by hand. */
const DISCONNECTS = 3;
/** What lies further back is no statement about the rig as it is now, s. */
const RECENT_S = 600;

/** Group D: USB adapters, their drivers and the programs that take them. */
export const usbChecks: readonly Check[] = [
  {
    code: 'duplicate_adapter_name',
    severity: 'warn',
    repair: 'use_by_path',
    find: ({ ports }) => {
      const shared = ports.filter(({ shared_by_id }) => shared_by_id !== null);
      const [first] = shared;
      if (!first) return undefined;
      return {
        message: `${shared.length} adapters share the name ${first.shared_by_id}`,
        evidence: shared.map(({ device, by_path }) => seen(device, by_path ?? 'no by-path link')),
        cause: 'adapters of one kind without serial numbers: the link leads to either after each plug',
        remedy: `set serial_port in svc.yaml to the by-path name, for example ${first.by_path ?? '/dev/serial/by-path/...'}`,
      };
    },
  },
  {
    code: 'udev_rule_not_applied',
    severity: 'warn',
    repair: 'trigger_udev',
    find: ({ ports, facts: { host } }) => {
      if (host.stat(RULES) === undefined) return undefined;
      return ports
        .filter(({ vid }) => vid !== null && ADAPTER_VENDORS.includes(vid))
        .flatMap(({ device }): Found[] => {
          const stats = host.stat(device);
          const gid = groupId(host.read('/etc/group'), 'dialout');
          if (!stats || gid === undefined) return [];
          const mode = stats.mode & 0o777;
          if (mode === 0o660 && stats.gid === gid) return [];
          const shown = mode.toString(8).padStart(4, '0');
          return [
            {
              message: `${device} has mode ${shown}, group id ${stats.gid}; the rule of the rig wants 0660, dialout (${gid})`,
              evidence: [
                seen(device, `mode ${shown}, gid ${stats.gid}`),
                seen(RULES, 'MODE="0660", GROUP="dialout"'),
              ],
              cause: 'the rule was installed after the adapter was plugged in, or a later rule wins',
              remedy:
                'sudo udevadm control --reload && sudo udevadm trigger --action=add, or plug the adapter in again',
            },
          ];
        });
    },
  },
  {
    code: 'permission_needs_relogin',
    severity: 'warn',
    repair: 'log_in_again',
    find: ({ facts: { host, account } }) => {
      if (!account) return undefined;
      const missing = ['dialout', 'plugdev', 'i2c'].filter((group) => {
        const line = host
          .read('/etc/group')
          ?.split('\n')
          .find((one) => one.startsWith(`${group}:`));
        const [, , gid, members = ''] = line?.split(':') ?? [];
        return (
          line !== undefined &&
          members.split(',').includes(account.name) &&
          !account.groups.includes(Number(gid))
        );
      });
      if (missing.length === 0) return undefined;
      return {
        message: `${account.name} is in ${missing.join(', ')}, this session is not`,
        evidence: [
          seen('/etc/group', missing.join(', ')),
          seen('groups of this process', account.groups.join(' ')),
        ],
        cause: 'the group was given after this session, or the service, had started',
        remedy:
          'log out and in again; restart the services: svcctl services --adopt after npx pm2 kill, or reboot',
      };
    },
  },
  {
    code: 'modem_manager_probes',
    severity: 'warn',
    repair: 'ignore_for_modem_manager',
    find: (signals) => {
      const pid = processNamed(signals, 'ModemManager');
      const { host } = signals.facts;
      const open = signals.ports.filter(
        ({ kind, device }) => kind === 'serial' && !isIgnored(signals, device),
      );
      if (pid === undefined || open.length === 0 || host.read(RULES)?.includes('ID_MM_DEVICE_IGNORE'))
        return undefined;
      return {
        message: `ModemManager (pid ${pid}) sends AT commands to ${open.map(({ device }) => device).join(', ')}`,
        evidence: [seen(`/proc/${pid}/comm`, 'ModemManager'), seen(RULES, 'not installed')],
        cause: 'it tries every new serial adapter as a modem for about 10 s',
        remedy: 'install udev/99-svc-rig.rules, then sudo udevadm control --reload && sudo udevadm trigger',
      };
    },
  },
  {
    code: 'brltty_claims_port',
    severity: 'warn',
    repair: 'exclude_from_brltty',
    find: ({ detection: { config }, facts: { kernelLog, host } }) => {
      const line = lineOf(kernelLog, /'brltty' sets config/);
      const port = config.ok ? config.modbus?.serial_port : undefined;
      // Where the port is there again the adapter was freed.
      if (line === undefined || (port !== undefined && host.stat(port) !== undefined)) return undefined;
      return {
        message: 'brltty took a serial adapter and its tty disappeared',
        evidence: [seen('kernel log', line)],
        cause: 'brltty takes the chip of the adapter for a Braille display',
        remedy:
          'if no Braille display is in use: sudo systemctl mask --now brltty brltty-udev; then plug the adapter in again',
      };
    },
  },
  {
    code: 'usb_autosuspend_on',
    severity: 'warn',
    repair: 'disable_autosuspend',
    find: ({ ports, facts: { host } }) =>
      ports.flatMap(({ device, usb }): Found[] => {
        if (usb === null || host.read(`${usb}/power/control`)?.trim() !== 'auto') return [];
        return [
          {
            message: `${device} may be suspended while it is idle`,
            evidence: [seen(`${usb}/power/control`, 'auto')],
            cause: 'USB autosuspend: adapters lose bytes, or do not respond after 2 s of silence',
            remedy: `echo on | sudo tee ${usb}/power/control; for good: usbcore.autosuspend=-1 in cmdline.txt`,
          },
        ];
      }),
  },
  {
    code: 'usb_latency_16ms',
    severity: 'warn',
    repair: 'set_latency_timer',
    find: ({ ports, facts: { host } }) =>
      ports.flatMap(({ device }): Found[] => {
        const path = `/sys/class/tty/${basename(device)}/device/latency_timer`;
        const ms = Number(host.read(path)?.trim());
        if (!(ms > LATENCY_LIMIT_MS)) return [];
        return [
          {
            message: `${device} hands bytes on after ${ms} ms`,
            evidence: [seen(path, ms)],
            cause: 'the FTDI driver collects bytes before it hands them on',
            remedy: `echo 1 | sudo tee ${path}; for good: install udev/99-svc-rig.rules`,
          },
        ];
      }),
  },
  {
    code: 'usb_over_current',
    severity: 'error',
    repair: 'check_usb_load',
    find: ({ facts: { host } }) => {
      const base = '/sys/bus/usb/devices';
      const counted = (host.list(base) ?? []).flatMap((hub) =>
        (host.list(`${base}/${hub}`) ?? [])
          .filter((name) => /-port\d+$/.test(name))
          .map((name) => `${base}/${hub}/${name}/over_current_count`)
          .filter((path) => Number(host.read(path)?.trim()) > 0),
      );
      if (counted.length === 0) return undefined;
      return {
        message: `${counted.length} USB ports were switched off because of over-current`,
        evidence: counted.map((path) => seen(path, host.read(path)?.trim())),
        cause: 'a device or a cable draws more than the port gives',
        remedy: 'unplug the device at that port, check its cable, put it on a powered hub',
      };
    },
  },
  {
    code: 'usb_disconnects',
    severity: 'warn',
    repair: 'check_usb_cable',
    find: ({ facts: { kernelLog, uptimeS } }) => {
      if (kernelLog === undefined)
        return { notChecked: '/dev/kmsg cannot be read by this account: sudo svcctl doctor' };
      const lines = recentLines(kernelLog, uptimeS);
      const errors = lines.filter((line) => /\busb\b.*\b(error|err) -71\b/.test(line));
      const gone = lines.filter((line) => /\busb [\d-]+[\d.]*: USB disconnect/.test(line));
      if (errors.length === 0 && gone.length < DISCONNECTS) return undefined;
      return {
        message: `USB devices were lost within ${RECENT_S / 60} min: ${gone.length} disconnects, ${errors.length} protocol errors (-71)`,
        evidence: [...errors.slice(-2), ...gone.slice(-2)].map((line) => seen('kernel log', messageOf(line))),
        cause: 'a bad cable, plug or hub, or a supply that dips when motors start',
        remedy:
          'use a short cable without a passive hub, then a powered hub; keep it away from the motor wires',
      };
    },
  },
  {
    code: 'port_handle_deleted',
    severity: 'error',
    repair: 'reopen_port',
    find: ({ owners: { deleted } }) => {
      const [first] = deleted;
      if (!first) return undefined;
      return {
        message: `${first.command} (pid ${first.pid}) holds ${first.path}, which is gone`,
        evidence: deleted.map(({ pid, path }) => seen(`/proc/${pid}/fd`, `${path} (deleted)`)),
        cause: 'the adapter was plugged in again and got another number while the program kept the old one',
        remedy: `restart the program (kill ${first.pid} for one of PM2), and use the by-id name in svc.yaml`,
      };
    },
  },
];

function groupId(groups: string | undefined, name: string): number | undefined {
  const line = groups?.split('\n').find((one) => one.startsWith(`${name}:`));
  return line === undefined ? undefined : Number(line.split(':')[2]);
}

function processNamed({ facts: { host } }: DoctorSignals, name: string): number | undefined {
  const pid = (host.list('/proc') ?? []).find(
    (one) => /^\d+$/.test(one) && host.read(`/proc/${one}/comm`)?.trim() === name,
  );
  return pid === undefined ? undefined : Number(pid);
}

/** udev's data of a node: `E:ID_MM_DEVICE_IGNORE=1`. */
function isIgnored({ facts: { host } }: DoctorSignals, device: string): boolean {
  const number = host.read(`/sys/class/tty/${basename(device)}/dev`)?.trim();
  return (
    number !== undefined && host.read(`/run/udev/data/c${number}`)?.includes('ID_MM_DEVICE_IGNORE=1') === true
  );
}

/** Records of the last ten minutes; all of them where the machine does not say how long it runs. */
export const recentLines = (log: string, uptimeS: number | undefined): string[] =>
  log.split('\n').filter((line) => {
    const us = /^\d+,\d+,(\d+),/.exec(line)?.[1];
    return us === undefined || uptimeS === undefined || Number(us) / 1e6 >= uptimeS - RECENT_S;
  });

export const lineOf = (log: string | undefined, pattern: RegExp): string | undefined => {
  const line = log?.split('\n').findLast((one) => pattern.test(one));
  return line === undefined ? undefined : messageOf(line);
};

/** A record of `/dev/kmsg` without its head: `6,339,5140900,-;message`. */
const messageOf = (line: string): string => line.replace(/^\d+,\d+,(\d+)\d{6},[^;]*;/, '[$1 s] ');
