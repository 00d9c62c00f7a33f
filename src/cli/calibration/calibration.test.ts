import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { CliError } from '../errors/cli-error.ts';
import { type Io, processIo } from '../io/io.ts';
import { calibrationCommandLine } from '../svcctl/commands/calibration.ts';

interface Context {
  folder: string;
}

const test = suite<Context>('svcctl calibration');
const PROCESS = processIo();
const NOW = '2025-06-01T10:00:00.000Z';

const FILE = `# The rig of hall 3
sensors:
  ai01:          # mask pressure
    calibration: {id: cal-nc, unit: mbar, kind: linear, scale: 100, offset: -63.5, calibrated_at: 2025-01-15, due_at: 2026-01-15}
  sc-sensor:
    calibration:
      id: cal-sc # deadweight
      unit: 'bar'
      kind: table
      points: [[0.5, 0], [1.5, 10]]
      calibrated_at: "2025-01-15"
      due_at: 2026-01-15
  ai03:
    calibration: {id: cal-old, unit: bar, kind: linear, scale: 300, offset: 0, calibrated_at: 2024-01-15, due_at: 2025-01-15, confirmed_at: 2024-01-16, confirmed_by: Ola}
  ai04:
    calibration: {id: cal-flow, unit: l/min, kind: linear, scale: 3, offset: 0, calibrated_at: 2025-01-15, due_at: 2026-01-15, confirmed_at: 2025-01-16, confirmed_by: Ola}
# end
`;

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'calibration-'));
  writeFileSync(join(context.folder, 'svc.yaml'), FILE);
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number;
  stdout: string;
  error: string;
}

async function calibration(folder: string, args: readonly string[] = [], now = NOW): Promise<Ended> {
  let stdout = '';
  const caught = Object.assign(Object.create(process.stdout) as NodeJS.WriteStream, {
    write: (text: string) => {
      stdout += text;
      return true;
    },
  });
  const clock = new SteppedClock(Date.parse(now));
  const io: Io = { ...PROCESS, env: { SVC_CONFIG_PATH: 'svc.yaml' }, cwd: folder, clock, stdout: caught };
  let code = 0;
  const program = new Command('svcctl').exitOverride();
  calibrationCommandLine(program, io, (exitCode) => {
    code = exitCode;
  });
  try {
    await program.parseAsync(['calibration', ...args], { from: 'user' });
    return { code, stdout, error: '' };
  } catch (thrown) {
    if (!(thrown instanceof CodedError)) throw thrown;
    return { code: thrown instanceof CliError ? thrown.exitCode : 3, stdout, error: thrown.message };
  }
}

test('the list shows sensor, id, unit, due date and state, and what to do', async ({ folder }) => {
  const { code, stdout } = await calibration(folder);
  assert.is(code, 1, 'not all are valid');
  assert.match(stdout, /^SENSOR +CALIBRATION +UNIT +DUE +CONFIRMED +STATE\n/);
  assert.match(stdout, /ai01 +cal-nc +mbar +2026-01-15 +never +unconfirmed\n/);
  assert.match(stdout, /ai03 +cal-old +bar +2025-01-15 +2024-01-16 by Ola +expired\n/);
  assert.match(stdout, /ai04 +cal-flow +l\/min +2026-01-15 +2025-01-16 by Ola +valid\n/);
  assert.match(stdout, 'cal-old was due on 2025-01-15');
  assert.match(stdout, 'svcctl calibration confirm cal-sc --by NAME');
  const json = JSON.parse((await calibration(folder, ['list', '--json'])).stdout);
  assert.equal(
    json.calibrations.map((one: { id: string; state: string }) => `${one.id} ${one.state}`),
    ['cal-nc unconfirmed', 'cal-sc unconfirmed', 'cal-old expired', 'cal-flow valid'],
  );
  assert.is(json.ok, false);
});

test('confirm writes who and when, and leaves comments, order and quoting of the file as they were', async ({
  folder,
}) => {
  const { code, stdout } = await calibration(folder, ['confirm', 'cal-sc', '--by', 'Jan Kowalski']);
  assert.is(code, 0);
  assert.match(stdout, `cal-sc of sc-sensor (bar): confirmed ${NOW} by Jan Kowalski`);
  const added = `      due_at: 2026-01-15\n      confirmed_at: ${NOW}\n      confirmed_by: Jan Kowalski\n  ai03:`;
  assert.is(
    readFileSync(join(folder, 'svc.yaml'), 'utf8'),
    FILE.replace('      due_at: 2026-01-15\n  ai03:', added),
  );
  const again = await calibration(folder, ['confirm', 'cal-sc', '--by', 'Ola']);
  assert.match(again.stdout, 'by Jan Kowalski; it was before, nothing was changed');
  const flow = JSON.parse((await calibration(folder, ['confirm', 'cal-nc', '--by', 'Ola', '--json'])).stdout);
  assert.equal([flow.ok, flow.state, flow.confirmed_by], [true, 'valid', 'Ola']);
});

test('what cannot hold is not confirmed: expired, or a clock that stands before it', async ({ folder }) => {
  const expired = await calibration(folder, ['confirm', 'cal-old', '--by', 'Ola']);
  assert.equal([expired.code, expired.stdout], [3, '']);
  assert.match(expired.error, 'was due on 2025-01-15');
  const behind = await calibration(folder, ['confirm', 'cal-nc', '--by', 'Ola'], '1970-01-01T00:00:10Z');
  assert.is(behind.code, 3);
  assert.match(behind.error, 'Set the clock');
  assert.is(readFileSync(join(folder, 'svc.yaml'), 'utf8'), FILE);
});

test('an unknown id, a missing name and an unknown action are reported with a remedy', async ({ folder }) => {
  const unknown = await calibration(folder, ['confirm', 'cal-nd', '--by', 'Ola']);
  assert.is(unknown.code, 2);
  assert.match(unknown.error, 'did you mean cal-nc?');
  assert.match((await calibration(folder, ['confirm', 'cal-nc'])).error, '--by');
  assert.match((await calibration(folder, ['confirm', 'cal-nc', '--by', ' '])).error, 'name the person');
  assert.match((await calibration(folder, ['confirn'])).error, 'did you mean confirm?');
});

test('a file that is not valid is not touched', async ({ folder }) => {
  writeFileSync(join(folder, 'svc.yaml'), `${FILE}\nlimit: 1\n`);
  const { error } = await calibration(folder, ['confirm', 'cal-nc', '--by', 'Ola']);
  assert.match(error, 'limit = 1: unknown key');
  rmSync(join(folder, 'svc.yaml'));
  assert.match((await calibration(folder)).error, 'no such file');
});

test.run();
