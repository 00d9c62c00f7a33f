import { sshKeyFault } from './ssh-key.ts';

/** Largest `rig.txt` that is read, bytes. */
export const LONGEST_BYTES = 65_536;
/** In the place of each byte of a secret that was applied. */
export const MASK = '*';
/** First byte of a secret while it is being masked: it stands in no secret, so that what a power cut leaves is never taken for one. */
export const MASKING = '\x7f';

/** Keys of `rig.txt`: what each value must be, and the remedy where it is not. `ssh_key` may stand several times. */
const KEYS = {
  ssh_key: { check: sshKeyFault },
  hostname: {
    pattern: /^(?=.{1,63}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    remedy: 'use 1 to 63 of a-z, 0-9 and -, not - at the beginning or the end',
  },
  wifi_ssid: { pattern: /^.{1,32}$/u, bytes: 32, remedy: 'the name of a network has 1 to 32 bytes' },
  wifi_passphrase: {
    pattern: /^([\x20-\x7e]{8,63}|[0-9a-fA-F]{64})$/,
    remedy: 'a WPA passphrase has 8 to 63 characters of ASCII',
    isSecret: true,
  },
  wifi_country: { pattern: /^[A-Z]{2}$/, remedy: 'use the two capital letters of ISO 3166, for example DE' },
  timezone: {
    pattern: /^(UTC|[A-Z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){1,2})$/,
    remedy: 'use a name of the time zone database, for example Europe/Warsaw',
  },
  profile: { pattern: /^(stack|standalone)$/, remedy: 'use stack or standalone' },
  token: {
    // Quotes and backslashes mean something to systemd and to shells, which read it in rig.env.
    pattern: /^(?!.*["'`\\$])[\x21-\x7e]{16,128}$/,
    remedy: 'a token has 16 to 128 characters of ASCII without blanks, quotes, \\ and $',
    isSecret: true,
  },
  pulse_gpio: {
    pattern: /^(4|5|6|1[2367]|2[2-7])$/,
    remedy: 'use a free GPIO: 4, 5, 6, 12, 13, 16, 17 or 22 to 27',
  },
} as const satisfies Record<string, KeyRule>;

interface KeyRule {
  pattern?: RegExp;
  remedy?: string;
  /** UTF-8. */
  bytes?: number;
  check?: (value: string) => string | undefined;
  /** Removed from the file once it was applied. */
  isSecret?: true;
}

export type RigKey = keyof typeof KEYS;

/** One line that says something, in its place. */
export interface RigLine {
  key: RigKey;
  value: string;
  /** Counted from 1. */
  line: number;
  /** Of the value in the file, bytes. */
  from: number;
  bytes: number;
  isSecret: boolean;
  /** The secret was applied before and is masked now, perhaps not to its end. */
  isMasked: boolean;
}

/** A line that is not applied, or the whole file with line 0. */
export interface RigTextFault {
  line: number;
  /** Shortened; a secret is never in it. */
  value: string;
  message: string;
}

export interface RigText {
  lines: RigLine[];
  faults: RigTextFault[];
}

/** Reads `rig.txt`, good lines and bad ones. Never throws. */
export function parseRigText(content: Uint8Array): RigText {
  const whole = (message: string): RigText => ({ lines: [], faults: [{ line: 0, value: '', message }] });
  const bytes = Buffer.from(content);
  if (bytes.length > LONGEST_BYTES)
    return whole(
      `has ${bytes.length} bytes, and at most ${LONGEST_BYTES} are read: write settings only, nothing was applied`,
    );
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return whole('is in UTF-16: save it as UTF-8, nothing was applied');
  if (bytes.includes(0) || !isUtf8(bytes))
    return whole('is not text in UTF-8: write it with a plain text editor, nothing was applied');

  const found: RigText = { lines: [], faults: [] };
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let line = 1; at < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    readLine(bytes, { from: at, end, line }, found);
    at = end + 1;
  }
  wifiFaults(found);
  return found;
}

function readLine(
  bytes: Buffer,
  { from, end, line }: { from: number; end: number; line: number },
  found: RigText,
): void {
  const text = bytes.subarray(from, end).toString('utf8').replace(/\r$/, '');
  if (/^\s*(#|$)/.test(text)) return;
  const fault = (message: string, value = shortened(text)) => found.faults.push({ line, value, message });
  const [, before = '', name = '', value = ''] = /^(\s*([A-Za-z0-9_]+)\s*=\s*)(.*?)\s*$/.exec(text) ?? [];
  if (name === '') {
    const looksSecret = /-----|PRIVATE KEY|pass|token|psk|secret/i.test(text);
    return void fault('is neither a comment (#) nor key = value', looksSecret ? '(not shown)' : undefined);
  }
  if (!Object.hasOwn(KEYS, name))
    return void fault(`${name} is not a setting: known are ${Object.keys(KEYS).join(', ')}`, name);
  const key = name as RigKey;
  const rule: KeyRule = KEYS[key];
  const isSecret = rule.isSecret === true;
  const shown = isSecret ? '(not shown)' : shortened(value);
  const size = Buffer.byteLength(value);
  const isMasked = isSecret && (value.startsWith(MASKING) || /^\*+$/.test(value));
  const place = { key, value, line, isSecret, isMasked };
  const start = from + Buffer.byteLength(before);
  // An empty value is a line of the template that nobody has filled in.
  if (value === '') return;
  const why = isMasked ? undefined : whyNot(rule, value);
  const isTwice = found.lines.some((one) => one.key === key && (key !== 'ssh_key' || one.value === value));
  if (why !== undefined) fault(`${name} ${why}`, shown);
  else if (isTwice) fault(`${name} stands in this file already: remove one of the two lines`, shown);
  else found.lines.push({ ...place, from: start, bytes: size });
}

function whyNot({ pattern, remedy = '', bytes, check }: KeyRule, value: string): string | undefined {
  if (check) return check(value);
  const fits = pattern?.test(value) && (bytes === undefined || Buffer.byteLength(value) <= bytes);
  return fits ? undefined : `is not usable: ${remedy}`;
}

/** A network needs its passphrase, and a passphrase its network. */
function wifiFaults(found: RigText): void {
  const of = (key: RigKey) => found.lines.find((one) => one.key === key);
  const [ssid, passphrase] = [of('wifi_ssid'), of('wifi_passphrase')];
  if ((ssid === undefined) === (passphrase === undefined)) return;
  const one = ssid ?? passphrase;
  const other = ssid ? 'wifi_passphrase' : 'wifi_ssid';
  found.faults.push({
    line: one?.line ?? 0,
    value: one?.isSecret ? '(not shown)' : shortened(one?.value ?? ''),
    message: `${one?.key} needs ${other} too: add the line, open networks are not supported`,
  });
  // What is not applied is a secret all the same: it stays in its place until the file is mended.
  found.lines = found.lines.filter((line) => line !== one);
}

const shortened = (text: string): string => {
  const printable = text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?').trim();
  return printable.length > 60 ? `${printable.slice(0, 57)}...` : printable;
};

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
