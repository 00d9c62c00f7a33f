import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { confirmAdcSource, readAdcSource, type SourceError } from './confirmation.ts';
import { ON_BOARD, type Sources } from './source.ts';
import { SourceLedger } from './source-ledger.ts';

const test = suite<{ folder: string }>('source fingerprint', { folder: '' });
test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'adc-source-'));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

const onBank = (bankId: string | null, url = 'http://bank/api/v1/adc', input = 'ch0'): Sources => ({
  ...ON_BOARD,
  ai02: { adapter: 'bank', input, url, bank_id: bankId },
});

/** A start of the stack service. */
function started(stateDir: string, sources: Sources, log: string[] = []): SourceLedger {
  const ledger = new SourceLedger({ stateDir, sources, log: (line) => log.push(line) });
  ledger.begin();
  return ledger;
}

/** Puts a sound file, confirmed for the bank, in the place of a damaged one. */
function confirmed(stateDir: string): void {
  rmSync(path(stateDir));
  started(stateDir, onBank('bank-0'));
  confirmAdcSource(stateDir);
}

function failure(work: () => unknown): SourceError {
  try {
    work();
  } catch (error) {
    return error as SourceError;
  }
  throw new Error('it returned');
}

const path = (folder: string) => join(folder, 'adc-source.json');

test('SVC-024 the first start on board is the baseline', ({ folder }) => {
  const ledger = started(join(folder, 'not', 'yet', 'there'), ON_BOARD);
  assert.is(ledger.isConfirmationRequired, false);
  assert.is(ledger.fault, null);
  assert.is(readAdcSource(join(folder, 'not', 'yet', 'there')).isConfirmationRequired, false);
});

test('SVC-024 a changed source asks for a confirmation of its channel, over restarts, until a person gives it', ({
  folder,
}) => {
  started(folder, ON_BOARD);
  for (let restart = 0; restart < 2; restart++) {
    const ledger = started(folder, onBank('bank-0'));
    assert.is(ledger.isConfirmationRequired, true);
    assert.is(ledger.isConfirmed('ai01'), true);
    assert.is(ledger.isConfirmed('ai02'), false);
  }
  const running = started(folder, onBank('bank-0'));
  const asked = readAdcSource(folder);
  assert.equal(asked.channels[1], {
    channel: 'ai02',
    before: 'DFR1184.AIN1 on board',
    now: 'bank-0/ch0 at http://bank/api/v1/adc',
    isChanged: true,
  });
  const clock = new SteppedClock();
  const confirmed = confirmAdcSource(folder, clock);
  assert.is(confirmed.confirmedAt, new Date(clock.now()).toISOString());
  assert.equal(confirmed.channels, asked.channels, 'what was confirmed');
  assert.is(running.isConfirmationRequired, false, 'the running service sees it');
  assert.is(started(folder, onBank('bank-0')).isConfirmationRequired, false);
});

test('SVC-024 for a sample that may be old the look at the file may be as old, and never older than 20 ms', async ({
  folder,
}) => {
  started(folder, ON_BOARD);
  const clock = new SteppedClock();
  const ledger = new SourceLedger({ stateDir: folder, sources: onBank('bank-0'), log: () => {}, clock });
  ledger.begin();
  assert.is(ledger.isConfirmed('ai02'), false);
  confirmAdcSource(folder);
  await clock.advance(10);
  assert.is(ledger.isConfirmed('ai02', 1000), false, 'looked at 10 ms ago');
  assert.is(ledger.isConfirmed('ai02', 9), true, 'older than the sample may be');
  writeFileSync(path(folder), '{');
  await clock.advance(20);
  assert.is(ledger.isConfirmed('ai02', 1000), true);
  await clock.advance(1);
  assert.is(ledger.isConfirmed('ai02', 1000), false, 'damaged');
  confirmed(folder);
  assert.is(ledger.isConfirmed('ai02'), true, 'without an age it is looked at each time');
});

test('SVC-024 going back on board is a change like any other', ({ folder }) => {
  started(folder, onBank('bank-0'));
  confirmAdcSource(folder);
  assert.is(started(folder, ON_BOARD).isConfirmed('ai02'), false);
});

test('SVC-024 another bank, address or bank channel is another source', ({ folder }) => {
  started(folder, onBank('bank-0'));
  confirmAdcSource(folder);
  for (const other of [
    onBank('bank-1'),
    onBank('bank-0', 'http://other/api/v1/adc'),
    onBank('bank-0', undefined, 'ch1'),
  ])
    assert.is(started(folder, other).isConfirmed('ai02'), false);
  assert.is(started(folder, onBank('bank-0')).isConfirmed('ai02'), true);
});

test('a first start on the bank is never a baseline for its channel', ({ folder }) => {
  const ledger = started(folder, onBank('bank-0'));
  assert.is(ledger.isConfirmed('ai01'), true);
  assert.is(ledger.isConfirmed('ai02'), false);
  assert.is(readAdcSource(folder).channels[1]?.before, null);
});

test('SVC-024 a bank that answers under another id than the confirmed one is noticed while the service runs', ({
  folder,
}) => {
  const ledger = started(folder, onBank(null));
  ledger.noteBank('bank-0');
  confirmAdcSource(folder);
  assert.is(ledger.isConfirmed('ai02'), true);
  const restarted = started(folder, onBank(null));
  assert.is(
    restarted.isConfirmed('ai02'),
    true,
    'a bank that has not answered yet is not held for another one',
  );
  restarted.noteBank('bank-1');
  assert.is(restarted.isConfirmed('ai02'), false);
  assert.is(readAdcSource(folder).channels[1]?.now, 'bank-1/ch0 at http://bank/api/v1/adc');
});

test('a bank that has not said who it is cannot be confirmed', ({ folder }) => {
  started(folder, onBank(null));
  const error = failure(() => confirmAdcSource(folder));
  assert.is(error.code, 'adc_source_unknown');
  assert.match(error.message, 'ai02 (a bank/ch0 at http://bank/api/v1/adc)');
  assert.is(readAdcSource(folder).isConfirmationRequired, true);
});

test('a damaged file is an error with path and remedy, and never a confirmation', ({ folder }) => {
  started(folder, ON_BOARD);
  const sound = readFileSync(path(folder), 'utf8');
  const damages = ['', '{', 'null', '[]', '{"confirmed":true}', sound.slice(0, -9), '\0'];
  for (const damage of [...damages, sound.replace('"confirmed"', '"confirmd"')].filter(
    (text) => text !== sound,
  )) {
    writeFileSync(path(folder), damage);
    const log: string[] = [];
    const ledger = started(folder, ON_BOARD, log);
    assert.is(ledger.isConfirmationRequired, true, damage);
    assert.match(ledger.fault ?? '', `${path(folder)} is damaged; move it away`);
    assert.match(log.join(), 'is damaged');
    for (const work of [() => readAdcSource(folder), () => confirmAdcSource(folder)]) {
      const error = failure(work);
      assert.is(error.code, 'adc_source_damaged');
      assert.match(error.message, path(folder));
    }
    assert.is(readFileSync(path(folder), 'utf8'), damage, 'nothing writes over it');
  }
});

test('a file that goes away or is damaged while the service runs ends the confirmation', ({ folder }) => {
  const ledger = started(folder, ON_BOARD);
  const sound = readFileSync(path(folder), 'utf8');
  rmSync(path(folder));
  assert.is(ledger.isConfirmationRequired, true);
  assert.match(ledger.fault ?? '', 'is not there');
  writeFileSync(path(folder), '{');
  assert.match(ledger.fault ?? '', 'is damaged');
  writeFileSync(path(folder), sound);
  assert.is(ledger.isConfirmationRequired, false, 'and its return brings it back');
});

test('before the first start there is nothing to confirm', ({ folder }) => {
  const error = failure(() => confirmAdcSource(folder));
  assert.is(error.code, 'adc_source_missing');
  assert.match(error.message, 'start svc-adc-stack');
});

test('a folder that cannot be written costs the confirmation and not the voltages; no half file is left', ({
  folder,
}) => {
  writeFileSync(join(folder, 'state'), 'a file where the folder should be');
  const ledger = started(join(folder, 'state'), ON_BOARD);
  assert.is(ledger.isConfirmationRequired, true);
  assert.match(ledger.fault ?? '', /cannot be (read|written).*/);
  started(folder, ON_BOARD);
  confirmAdcSource(folder);
  assert.equal(readdirSync(folder).sort(), ['adc-source.json', 'state']);
});

test.run();
