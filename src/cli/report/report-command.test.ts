import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import * as assert from 'uvu/assert';
import { SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';
import { findChromium } from './chromium.ts';

const test = suite('svcctl report and show');
const root = fileURLToPath(new URL(import.meta.url)).replace(/(src|node_modules)\/.*$/, '');
const folder = new SvcctlProcess();
test.after(() => folder.dispose());

/** Three goals with ten checks, samples and a second attempt. */
const TEN = `SCENARIO: Mask, "acceptance" <1>
CONFIG start:
  SET valve-1 open
GOAL:
  SET NAME 'Leak at 10 mbar'
  MAX AI01 2 V
  MIN AI01 0.1 V
  SAMPLE AI01 START 100ms
  WAIT 2s
  SAMPLE AI01 STOP
  CHECK AI01 >= 0.2 V
  CHECK AI02 <= 3 V
GOAL:
  SET NAME 'Opening pressure'
  CHECK AI02 >= 0.4 V
  CHECK AI03 >= 0.1 V
  CHECK AI03 <= 3 V
GOAL:
  SET NAME 'Flow at 40 %'
  SET pump 40 %
  SAMPLE AI02 START 100ms
  WAIT 2s
  SAMPLE AI02 STOP
  CHECK AI01 <= 1 V
  CHECK AI02 >= 0.6 V
  CHECK AI03 >= 0.2 V
  FAIL 'flow is low' RETRY 1
CONFIG leave:
  SET pump 0 %
  SET valve-1 close
`;

function svcctl(args: readonly string[], path = process.env.PATH ?? '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/svcctl.cjs'), ...args], {
    cwd: folder.directory,
    env: { PATH: path, SVC_STATE_DIR: folder.path('state') },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const WHO = ['--serial', 'SN-17,"x"', '--part', '=P', '--revision', 'C', '--operator', 'Zoë\u{1F637}'];
let recorded: string | undefined;

/** Id of the one recorded run. */
function runId(): string {
  if (recorded !== undefined) return recorded;
  folder.write('ten.oql', TEN);
  const sensors = ['AI01=0.5', 'AI02=0.5', 'AI03=0.7'].flatMap((one) => ['--sensor', one]);
  const { status, stderr } = svcctl(['ten.oql', ...sensors, ...WHO, '--record', 'state', '--json']);
  assert.is(status, 1, stderr);
  const { stdout } = svcctl(['runs', '--json']);
  recorded = String(JSON.parse(stdout).runs[0].identity.run_id);
  return recorded;
}

/** RFC 4180, strictly: quotes only around a whole cell, every row as long as the first. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) throw new Error(`no cell at ${at}: ${text.slice(at, at + 60)}`);
    row.push((found[1] ?? found[2] ?? '').replaceAll('""', '"'));
    if (found[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

test('REC-008 CSV: every row is strictly of RFC 4180, with the unit, run and station; no cell is a formula', () => {
  const id = runId();
  const { status, stdout } = svcctl(['report', id, '--format', 'csv']);
  assert.is(status, 0);
  const [head = [], ...rows] = rowsOf(stdout);
  assert.ok(rows.length > 20);
  const cellOf = (row: string[], name: string) => row[head.indexOf(name)];
  for (const row of rows) {
    assert.is(row.length, head.length, row.join('|'));
    assert.equal(
      ['unit_under_test', 'part', 'revision', 'operator', 'run'].map((name) => cellOf(row, name)),
      ['SN-17,"x"', "'=P", 'C', 'Zoë\u{1F637}', id],
    );
    assert.not.ok(row.some((one) => /^[=@]/.test(one)));
  }
  const failed = rows.filter(
    (row) => cellOf(row, 'event') === 'check' && cellOf(row, 'outcome') === 'failed',
  );
  assert.equal(
    failed.map((row) => ['value', 'unit', 'low', 'high'].map((name) => cellOf(row, name))),
    [
      ['0.5', 'V', '0.6', ''],
      ['0.5', 'V', '0.6', ''],
    ],
  );
});

test('REC-001 REC-008 show and the page name verdict, unit, what failed first, attempts and station', () => {
  const id = runId();
  const { status, stdout } = svcctl(['show', id]);
  assert.is(status, 0);
  assert.match(stdout, new RegExp(`^${id}  failed \\(simulated, not a test\\)  4/5 passed`));
  assert.match(stdout, 'first failed  Flow at 40 %: AI02 outside [0.6, ∞] V');
  assert.match(stdout, /failed {3}Flow at 40 %: CHECK AI02 >= # V {2}0\.5 V {2}\[0\.6 \.\. \] {2}attempt 2/);
  const html = svcctl(['report', id]).stdout;
  assert.match(html, '<p class="first">First failure: Flow at 40 %: AI02 outside [0.6, ∞] V</p>');
  assert.match(html, /<dt>Unit \(serial number\)<\/dt><dd>SN-17,("|&quot;)x("|&quot;)<\/dd>/);
  assert.match(html, /<dt>Station<\/dt><dd>[^<]+, rig-[0-9a-f]{12}<\/dd>/);
  assert.match(html, /<dt>Scenario<\/dt><dd>ten\.oql<\/dd>/);
  assert.match(html, 'Flow at 40 %, attempt 2');
  assert.not.match(html, /<script|(?:src|href)=/i);
  assert.not.match(html, 'acceptance" <1>');
  const json = JSON.parse(svcctl(['show', id, '--json']).stdout);
  assert.equal([json.run_id, json.measurements.length, json.retries[0].block], [id, 13, 'Flow at 40 %']);
});

const hasChromium = findChromium(process.env) !== undefined;

test.needs(hasChromium, 'there is no Chromium')(
  'REC-008 PDF: ten checks with plots and two attempts fit on two A4 pages, and no table is cut at the side',
  async () => {
    const id = runId();
    const { status, stderr } = svcctl(['report', id, '--format', 'pdf', '--output', 'run.pdf']);
    assert.is(status, 0, stderr);
    const pdf = readFileSync(folder.path('run.pdf'), 'latin1');
    assert.ok(pdf.startsWith('%PDF-'));
    assert.is(pdf.match(/\/Type \/Page\b(?!s)/g)?.length, 2);
    const browser = await chromium.launch({
      executablePath: findChromium(process.env) ?? '',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    try {
      // A4 without its margins of 12 mm, 96 pixels an inch.
      const page = await browser.newPage({ viewport: { width: 703, height: 1031 } });
      const errors: string[] = [];
      page.on('console', (message) => errors.push(message.text()));
      page.on('request', (request) => {
        if (!request.url().startsWith('file:')) errors.push(`it loads ${request.url()}`);
      });
      await page.emulateMedia({ media: 'print' });
      await page.goto(`file://${folder.path('run.html')}`);
      const wide = await page.evaluate(
        'Array.from(document.querySelectorAll("table,svg,dl")).filter((one) => one.getBoundingClientRect().right > 703.5).length',
      );
      assert.equal([wide, errors], [0, []]);
    } finally {
      await browser.close();
    }
  },
);

test('REC-008 without Chromium the message names the page that is there, with exit code 3', () => {
  const { status, stdout, stderr } = svcctl(
    ['report', runId(), '--format', 'pdf', '--output', 'none.pdf'],
    join(dirname(process.execPath), 'no-such-folder'),
  );
  assert.equal([status, stdout], [3, '']);
  assert.match(stderr, 'there is no Chromium in PATH');
  assert.match(stderr, folder.path('none.html'));
  assert.ok(statSync(folder.path('none.html')).size > 1000);
  assert.not.ok(existsSync(folder.path('none.pdf')));
});

test('REC-003 a record that was changed has no report', () => {
  const id = runId();
  const path = folder.path(`state/runs/${id}/result.json`);
  const text = readFileSync(path, 'utf8');
  folder.write(`state/runs/${id}/result.json`, text.replace('"passed":4', '"passed":5'));
  for (const args of [
    ['report', id],
    ['show', id],
  ]) {
    const { status, stdout, stderr } = svcctl(args);
    assert.equal([status, stdout], [3, '']);
    assert.match(stderr, /is damaged: result\.json: it was changed; svcctl verify shows all that differs/);
  }
  folder.write(`state/runs/${id}/result.json`, text);
  assert.is(svcctl(['show', id]).status, 0);
});

test.run();
