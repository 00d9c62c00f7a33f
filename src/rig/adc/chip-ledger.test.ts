import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { SerialNumbers } from '../../devices/mcp2221a/serial-numbers.ts';
import { suite } from '../../test-kit/suite.ts';
import { ChipLedger } from './chip-ledger.ts';
import { confirmChips } from './confirmation.ts';

interface Context {
  stateDir: string;
  lines: string[];
  /** A service that starts. */
  start: (configured?: string, address?: string) => ChipLedger;
}

const test = suite<Context>('which USB chip belongs here');

test.before.each((context) => {
  const stateDir = mkdtempSync(join(tmpdir(), 'chip-'));
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const start = (configured?: string, address = 'hid:04d8:00dd') =>
    new ChipLedger({ stateDir, address, configured, log });
  Object.assign(context, { stateDir, lines, start });
});
test.after.each(({ stateDir }) => rmSync(stateDir, { recursive: true, force: true }));

const A: SerialNumbers = { factory: '01234567', usb: '0000000001' };
/** Another chip with the factory serial number of A, as many chips have it. */
const B: SerialNumbers = { factory: '01234567', usb: '0000000002' };
const C: SerialNumbers = { factory: '76543210', usb: '0000000001' };
const UNREADABLE: SerialNumbers = { factory: null, usb: null };

const isAccepted = (ledger: ChipLedger, chip: SerialNumbers) => ledger.objection(chip) === undefined;

test('DEV-052 the first chip is accepted; another one is not, in this process and after a restart', ({
  start,
  lines,
}) => {
  const ledger = start();
  assert.is(isAccepted(ledger, A), true);
  for (const service of [ledger, start()])
    for (const other of [B, C, UNREADABLE]) {
      assert.match(
        service.objection(other) ?? '',
        /the chip has .*, but the chip with factory serial 01234567, USB serial 0000000001 belongs here; .*svcctl adc-confirm/,
      );
      assert.is(isAccepted(service, A), true);
    }
  assert.is(lines.length, 6, 'each new objection is logged once');
});

test('DEV-052 a person confirms another chip: it is accepted at once, and the first one no longer', ({
  start,
  stateDir,
}) => {
  const ledger = start();
  ledger.objection(A);
  assert.is(isAccepted(ledger, B), false);
  confirmChips(stateDir);
  for (const service of [ledger, start()]) {
    assert.is(isAccepted(service, B), true);
    assert.is(isAccepted(service, A), false);
    assert.is(isAccepted(service, B), true);
  }
});

test('DEV-052 a configured serial number decides, whichever of the two it is', ({ start }) => {
  assert.is(isAccepted(start('76543210'), A), false);
  assert.is(isAccepted(start('76543210'), C), true);
  assert.is(isAccepted(start('0000000002'), C), false);
  assert.is(isAccepted(start('0000000002'), B), true);
});

test('DEV-052 with a serial number configured the first start accepts no other chip', ({ start }) => {
  assert.match(start('99').objection(A) ?? '', 'the chip with the serial 99 (USBADC_SERIAL) belongs here');
});

test('DEV-052 a confirmed stand-in serves until the configured chip is back', ({ start, stateDir }) => {
  assert.is(isAccepted(start('76543210'), C), true);
  assert.is(isAccepted(start('76543210'), A), false);
  confirmChips(stateDir);
  assert.is(isAccepted(start('76543210'), A), true);
  assert.is(isAccepted(start('76543210'), B), false);
  assert.is(isAccepted(start('76543210'), C), true);
  assert.is(isAccepted(start('76543210'), A), false, 'the stand-in needs a new confirmation');
});

test('DEV-052 of two chips with the configured serial number the one that was here before stays', ({
  start,
}) => {
  assert.is(isAccepted(start('01234567'), A), true);
  assert.is(isAccepted(start('01234567'), B), false);
  assert.is(isAccepted(start('01234567'), A), true);
});

test('DEV-052 to configure the chip that is here, or to take the setting away, changes nothing', ({
  start,
}) => {
  start().objection(A);
  assert.is(isAccepted(start('01234567'), B), false);
  assert.is(isAccepted(start('01234567'), A), true);
  assert.is(isAccepted(start(), B), false);
  assert.is(isAccepted(start(), A), true);
});

test('DEV-052 a chip without readable serial numbers is remembered as such', ({ start }) => {
  assert.is(isAccepted(start(), UNREADABLE), true);
  assert.is(isAccepted(start(), UNREADABLE), true);
  assert.is(isAccepted(start(), A), false);
});

test('DEV-052 a bench beside a rig has a chip of its own', ({ start }) => {
  assert.is(isAccepted(start(), A), true);
  assert.is(isAccepted(start(undefined, 'bench:/tmp/usbhid.sock'), B), true);
  assert.is(isAccepted(start(), B), false);
});

test('DEV-052 a damaged file accepts no chip, and says what to do', ({ start, stateDir }) => {
  writeFileSync(join(stateDir, 'adc-chip.json'), '{"schema_version":1');
  assert.match(start().objection(A) ?? '', /adc-chip\.json is damaged; check which chip is plugged in/);
});

test('DEV-052 a new chip that cannot be recorded is refused; a recorded or a configured one is not', ({
  stateDir,
  lines,
  start,
}) => {
  // In the way of the file that is written first.
  const obstacle = join(stateDir, `.adc-chip.json.${process.pid}.tmp`);
  mkdirSync(obstacle);
  assert.match(
    start().objection(A) ?? '',
    /cannot be remembered: .*adc-chip\.json cannot be written: .* SVC_STATE_DIR; USBADC_SERIAL names it/,
  );
  assert.match(lines[0] ?? '', /not recorded: .*adc-chip\.json cannot be written/);
  assert.equal([isAccepted(start('0000000001'), A), isAccepted(start('0000000001'), B)], [true, false]);
  rmdirSync(obstacle);
  assert.is(isAccepted(start(), A), true);
  mkdirSync(obstacle);
  assert.equal([isAccepted(start(), A), isAccepted(start(), B)], [true, false]);
});

test('DEV-052 where the file cannot be read no chip is accepted', ({ lines }) => {
  const log = (line: string) => lines.push(line);
  const ledger = new ChipLedger({ stateDir: '/dev/null/x', address: 'a', configured: undefined, log });
  assert.match(ledger.objection(A) ?? '', 'adc-chip.json cannot be read');
});

test.run();
