import { chownSync, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { ApplianceError } from '../appliance-error.ts';
import type { Places } from '../places.ts';
import { linkWhole, textOf, writeWhole } from '../write-whole.ts';
import { setHostName } from './identity.ts';
import { setPulseGpio } from './pulse-gpio.ts';
import { MASK, type RigKey, type RigLine, type RigText, type RigTextFault } from './rig-text.ts';
import { isForNetwork, wpaConfiguration } from './wpa.ts';

export interface AppliedSettings {
  /** Keys, for the report. */
  applied: string[];
  faults: RigTextFault[];
  /** Secrets that are in force now: they may be removed from the file. */
  secrets: RigLine[];
  /** It takes effect with the next start. */
  needsRestart: boolean;
  /** A fault is not that of its line: the file is applied again at the next start. */
  mayPass: boolean;
}

/** Applies each good line of `rig.txt`. One that cannot be applied is a fault, and the others are applied all the same. */
export function applySettings(places: Places, { lines, faults }: RigText): AppliedSettings {
  const result: AppliedSettings = {
    applied: [],
    faults: [...faults],
    secrets: [],
    needsRestart: false,
    mayPass: false,
  };
  const of = (key: RigKey) => lines.filter((line) => line.key === key);
  const attempt = (key: RigKey, work: (line: RigLine) => void) => {
    const [line] = of(key);
    if (!line) return;
    try {
      work(line);
      result.applied.push(line.isSecret ? key : `${key} = ${line.value.slice(0, 60)}`);
      if (line.isSecret && line.value !== MASK.repeat(line.bytes)) result.secrets.push(line);
    } catch (fault) {
      // What the line cannot help may pass: a card that failed to read, a partition that was full.
      if (!(fault instanceof ApplianceError && fault.code === 'setting_not_applied')) result.mayPass = true;
      const value = line.isSecret ? '(not shown)' : line.value.slice(0, 60);
      result.faults.push({ line: line.line, value, message: `${key} is not applied: ${messageOf(fault)}` });
    }
  };
  const { at, data } = places;

  const keys = of('ssh_key').map(({ value }) => value);
  attempt('ssh_key', () => addKeys(at('/home/operator'), keys));
  attempt('hostname', ({ value }) => setHostName(places, value));
  attempt('wifi_passphrase', (line) =>
    setWifi(places, line, of('wifi_ssid')[0], of('wifi_country')[0]?.value),
  );
  const isWifiSet = result.applied.includes('wifi_passphrase');
  for (const key of ['wifi_ssid', 'wifi_country'] as const) if (isWifiSet) attempt(key, () => {});
  attempt('timezone', ({ value }) => {
    if (!existsSync(at(`/usr/share/zoneinfo/${value}`)))
      throw new ApplianceError('setting_not_applied', 'the time zone database has no such zone');
    linkWhole(join(data, 'etc/localtime'), `/usr/share/zoneinfo/${value}`);
  });
  attempt('profile', ({ value }) => void writeWhole(at('/etc/svc/profile'), `${value}\n`, 0o644));
  attempt('token', ({ value, isMasked }) => {
    const path = at('/etc/svc/rig.env');
    if (!isMasked) return setVariable(path, 'SVC_API_TOKEN', value);
    if (!/^SVC_API_TOKEN=./m.test(textOf(path) ?? ''))
      throw new ApplianceError(
        'setting_not_applied',
        'it was removed from this file, and rig.env has none: write it again',
      );
  });
  attempt('pulse_gpio', ({ value }) => {
    if (setPulseGpio(places, Number(value))) result.needsRestart = true;
  });
  return result;
}

/** They are added to those that are there: removing a line of `rig.txt` locks nobody out. */
function addKeys(home: string, keys: readonly string[]): void {
  const path = join(home, '.ssh/authorized_keys');
  const before = textOf(path) ?? '';
  const lines = before === '' ? [] : before.split('\n');
  const added = keys.filter((key) => !lines.includes(key));
  if (added.length > 0) writeWhole(path, `${[...lines, ...added].join('\n')}\n`, 0o600);
  // sshd refuses a file that is another account's.
  const { uid, gid } = statSync(home);
  for (const own of [dirname(path), path]) if (process.getuid?.() === 0) chownSync(own, uid, gid);
}

function setWifi(
  { at }: Places,
  line: RigLine,
  ssid: RigLine | undefined,
  country: string | undefined,
): void {
  const path = at('/etc/wpa_supplicant/wpa_supplicant-wlan0.conf');
  const name = ssid?.value ?? '';
  if (!line.isMasked) return void writeWhole(path, wpaConfiguration(name, line.value, country), 0o600);
  const kept = `${textOf(path) ?? ''}\n`;
  if (!isForNetwork(kept, name))
    throw new ApplianceError(
      'setting_not_applied',
      'the passphrase was removed after it had been applied to another network: write it again',
    );
}

/** One line `NAME=value` of rig.env: in the place of the one before, else at the end. */
function setVariable(path: string, name: string, value: string): void {
  const lines = (textOf(path) ?? '').split('\n').filter((line) => line !== '');
  const index = lines.findIndex((line) => line.startsWith(`${name}=`));
  if (index < 0) lines.push(`${name}=${value}`);
  else lines[index] = `${name}=${value}`;
  writeWhole(path, `${lines.join('\n')}\n`, 0o640);
}
