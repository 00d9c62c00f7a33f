import { pbkdf2Sync } from 'node:crypto';

/** IEEE 802.11i: the key follows from passphrase and name of the network. */
const ROUNDS = 4096;
const KEY_BYTES = 32;

/** Configuration of wpa_supplicant. The passphrase itself is not in it. @param passphrase or its key, 64 hexadecimal digits */
export function wpaConfiguration(ssid: string, passphrase: string, country: string | undefined): string {
  const isKey = /^[0-9a-fA-F]{64}$/.test(passphrase);
  const key = isKey ? passphrase : pbkdf2Sync(passphrase, ssid, ROUNDS, KEY_BYTES, 'sha1').toString('hex');
  return [
    '# Made from rig.txt: docs/rig-txt.md.',
    'ctrl_interface=/run/wpa_supplicant',
    ...(country === undefined ? [] : [`country=${country}`]),
    'network={',
    `\tssid=${Buffer.from(ssid).toString('hex')}`,
    `\tpsk=${key}`,
    '}',
    '',
  ].join('\n');
}

/** Whether a configuration of `wpaConfiguration` is for this network. */
export const isForNetwork = (configuration: string, ssid: string): boolean =>
  configuration.includes(`\tssid=${Buffer.from(ssid).toString('hex')}\n`);
