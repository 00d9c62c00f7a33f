import { isSamePort } from '../../host/serial-ports.ts';
import { type Check, seen } from '../finding.ts';

/** Group C: who has the devices. Only for a bridge on this machine. */
export const ownerChecks: readonly Check[] = [
  {
    code: 'serial_port_busy',
    severity: 'warn',
    repair: 'release_serial_port',
    find: ({ detection: { config }, owners, facts: { host } }) => {
      const settings = config.ok ? config.modbus : null;
      if (!settings) return undefined;
      const foreign = [...owners.owners]
        .filter(([device]) => isSamePort(host, device, settings.serial_port))
        .flatMap(([, list]) => list)
        .filter(({ own_bridge, own_guard }) => !own_bridge && !own_guard);
      const [first] = foreign;
      if (!first) return undefined;
      const unit = SERVICES.find(({ name }) => name.test(first.command));
      return {
        message: `${settings.serial_port} is open in ${first.command} (pid ${first.pid})`,
        evidence: foreign.map(({ pid, command, source }) =>
          seen(source === 'fd' ? `/proc/${pid}/fd` : '/proc/locks', `${command} (pid ${pid})`),
        ),
        cause: unit?.cause ?? 'another program uses the port of the valve board',
        remedy: unit?.remedy ?? `end it (kill ${first.pid}); the bridge then opens the port by itself`,
      };
    },
  },
  {
    code: 'owner_scan_incomplete',
    severity: 'info',
    repair: null,
    find: ({ owners: { complete, unreadable } }) =>
      complete
        ? undefined
        : {
            message: `${unreadable} processes of other accounts could not be read; one of them may have a port open`,
            evidence: [seen('/proc/<pid>/fd', `${unreadable} unreadable`)],
            cause: 'this account may not see the files of others',
            remedy: 'sudo svcctl doctor',
          },
  },
  {
    code: 'adc_profile_conflict',
    severity: 'warn',
    repair: 'switch_profile',
    find: ({ facts: { adc } }) => {
      if (!adc || adc.profile === null) return undefined;
      const foreign = adc.locks.filter(({ service }) => service === null || !adc.wanted.includes(service));
      const [first] = foreign;
      if (!first) return undefined;
      return {
        message: `profile ${adc.profile} needs the ${first.device}, which ${first.holder} holds`,
        evidence: foreign.map(({ device, holder }) => seen(`lock of the ${device}`, holder)),
        cause: 'a service of the other profile, or a program started by hand, has the device',
        remedy: `svcctl profile ${adc.profile}`,
      };
    },
  },
];

/** Programs of a Linux system that open serial ports on their own. */
const SERVICES: readonly { name: RegExp; cause: string; remedy: string }[] = [
  {
    name: /ModemManager/,
    cause: 'ModemManager tries every new serial adapter as a modem',
    remedy: 'install udev/99-svc-rig.rules, then sudo systemctl restart ModemManager',
  },
  {
    name: /brltty/,
    cause: 'brltty takes serial adapters for a Braille display',
    remedy:
      'if no Braille display is in use: sudo systemctl mask --now brltty; else exclude the adapter in brltty.conf',
  },
  {
    name: /getty/,
    cause: 'a login prompt runs on the port',
    remedy: 'sudo systemctl disable --now serial-getty@<port>',
  },
];
