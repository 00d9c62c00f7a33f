import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { LONGEST_BYTES, parseRigText } from './rig-text.ts';
import { sshKeyFault } from './ssh-key.ts';

const test = suite('rig.txt');
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHDtfKm8vRXVOZ3Smx0HoJL0Yl8iiYlzkPLZhd8gvXxQ anna@pc';

const valuesOf = (text: string | Uint8Array) => {
  const { lines, faults } = parseRigText(typeof text === 'string' ? Buffer.from(text) : text);
  return {
    values: Object.fromEntries(lines.map(({ key, value }) => [key, value])),
    faults: faults.map(({ line, message }) => `${line}: ${message}`),
  };
};

const GOOD = `# a comment
ssh_key = ${KEY}
hostname=rig-lab

wifi_ssid = Werkstatt 2
wifi_passphrase = so geheim = ja
wifi_country = DE
timezone = Europe/Warsaw
profile = stack
token = 0123456789abcdef
pulse_gpio = 22
`;
const VALUES = {
  ssh_key: KEY,
  hostname: 'rig-lab',
  wifi_ssid: 'Werkstatt 2',
  wifi_passphrase: 'so geheim = ja',
  wifi_country: 'DE',
  timezone: 'Europe/Warsaw',
  profile: 'stack',
  token: '0123456789abcdef',
  pulse_gpio: '22',
};

for (const [form, text] of Object.entries({
  'as it is written': GOOD,
  'with CRLF': GOOD.replaceAll('\n', '\r\n'),
  'with a byte order mark': `\ufeff${GOOD}`,
  'without a last line end': GOOD.trimEnd(),
}))
  test(`IMG-012 every setting is read, ${form}, and each value is found in its place`, () => {
    assert.equal(valuesOf(text), { values: VALUES, faults: [] });
    const bytes = Buffer.from(text);
    for (const line of parseRigText(bytes).lines)
      assert.is(bytes.subarray(line.from, line.from + line.bytes).toString(), line.value);
  });

for (const [what, content, says] of [
  ['UTF-16', Buffer.from(`\ufeff${GOOD}`, 'utf16le'), 'is in UTF-16: save it as UTF-8'],
  ['a NUL byte', Buffer.from(`hostname = a\0\n`), 'is not text in UTF-8'],
  ['bytes of an old code page', Buffer.from('wifi_ssid = Caf\xe9\n', 'latin1'), 'is not text in UTF-8'],
  ['1 MB', Buffer.alloc(1_000_000, '#'), `at most ${LONGEST_BYTES} are read`],
] as const)
  test(`IMG-012 a file with ${what} is reported as a whole, and nothing of it is applied`, () => {
    const { lines, faults } = parseRigText(content);
    assert.equal([lines, faults.length, faults[0]?.line], [[], 1, 0]);
    assert.match(faults[0]?.message ?? '', says);
  });

test('IMG-012 an empty file, and a template that nobody has filled in, say nothing', () => {
  assert.equal(valuesOf(''), { values: {}, faults: [] });
  assert.equal(valuesOf('hostname =\nwifi_ssid=\n'), { values: {}, faults: [] });
});

for (const [line, says] of [
  ['host = a', 'host is not a setting: known are ssh_key, hostname'],
  ['hello', 'is neither a comment (#) nor key = value'],
  ['hostname = Rig 1', 'hostname is not usable: use 1 to 63 of a-z'],
  ['hostname = -a', 'hostname is not usable'],
  ['hostname = a\nhostname = b', 'hostname stands in this file already'],
  ['timezone = ../../etc/passwd', 'timezone is not usable'],
  ['profile = both', 'use stack or standalone'],
  ['token = short', 'token is not usable'],
  ['token = 0123456789abcdef\\', 'token is not usable'],
  ['token = "0123456789abcdef', 'token is not usable'],
  ['pulse_gpio = 14', 'use a free GPIO'],
  ['wifi_country = de', 'two capital letters'],
  ['wifi_ssid = A', 'wifi_ssid needs wifi_passphrase too'],
  ['wifi_ssid = A\nwifi_passphrase = short', 'wifi_passphrase is not usable'],
  [`ssh_key = ${KEY.slice(0, 60)}`, 'copy the whole line'],
  [`ssh_key = ${KEY}\nssh_key = ${KEY}`, 'stands in this file already'],
  [`ssh_key = command="rm" ${KEY}`, 'does not begin with the type'],
  ['-----BEGIN OPENSSH PRIVATE KEY-----', 'is neither a comment'],
  ['ssh_key = -----BEGIN OPENSSH PRIVATE KEY-----', 'is a private key'],
] as const)
  test(`IMG-012 "${line.split('\n').at(-1)?.slice(0, 40)}" is reported with its line, and the good line beside it applied`, () => {
    const { values, faults } = valuesOf(
      `profile = stack\n${line}`.replace(/^profile = stack\n(?=profile)/, ''),
    );
    if (!line.startsWith('profile')) assert.is(values.profile, 'stack');
    assert.match(faults.join('\n'), says);
    assert.match(faults[0] ?? '', /^[1-3]: /);
  });

test('IMG-012 neither fault nor value shows a secret', () => {
  const text =
    'wifi passphrase = geheim1234\nTOKEN: geheim\nwifi_passphrase = geheim\ntoken = geheim\nwifi_ssid = a\n-----BEGIN geheim PRIVATE KEY';
  assert.not.match(JSON.stringify(parseRigText(Buffer.from(text)).faults), 'geheim');
});

test('IMG-012 a secret that was applied and masked is known as such', () => {
  const { lines, faults } = parseRigText(
    Buffer.from('wifi_ssid = A\nwifi_passphrase = ********\ntoken = \x7f***56789abcdef01\n'),
  );
  assert.equal(faults, []);
  assert.equal(
    lines.map(({ key, isMasked }) => [key, isMasked]),
    [
      ['wifi_ssid', false],
      ['wifi_passphrase', true],
      ['token', true],
    ],
  );
});

test('IMG-012 public keys as ssh-keygen makes them are usable, cut ones and short ones are not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  try {
    for (const [type, ...more] of [
      ['ed25519'],
      ['ecdsa', '-b', '384'],
      ['rsa', '-b', '2048'],
      ['rsa', '-b', '1024'],
    ]) {
      const path = join(folder, `${type}${more.at(-1) ?? ''}`);
      execFileSync('ssh-keygen', ['-q', '-t', String(type), ...more, '-N', '', '-f', path]);
      const text = readFileSync(`${path}.pub`, 'utf8').trim();
      const isShort = more.includes('1024');
      assert.is(sshKeyFault(text) === undefined, !isShort, `${type} ${more}: ${sshKeyFault(text)}`);
      const [name, base64 = ''] = text.split(' ');
      for (let length = 4; length < base64.length; length += 37)
        assert.ok(sshKeyFault(`${name} ${base64.slice(0, length)}`), `${type} cut to ${length}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
