import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { eventsOf, resultOf } from '../../test-kit/scenario/sample-result.ts';
import { suite } from '../../test-kit/suite.ts';
import { csvTable } from './csv.ts';

const test = suite('the CSV report in LibreOffice');
const hasOffice = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'soffice')));
const withOffice = test.needs(hasOffice, 'there is no LibreOffice (apt install libreoffice-calc)');

interface Cell {
  readonly type: string;
  readonly value: string | undefined;
  readonly text: string;
}

/** The cells of a CSV file as LibreOffice Calc has them, by row, without those that are empty at the end of a row. */
function opened(csv: string): Cell[][] {
  const folder = mkdtempSync(join(tmpdir(), 'csv-'));
  try {
    writeFileSync(join(folder, 'report.csv'), csv);
    // What is chosen in its dialog: comma, double quote, UTF-8, "Format quoted field as text".
    const input = '--infilter=Text - txt - csv (StarCalc):44,34,76,1,,0,true';
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = [profile, '--headless', input, '--convert-to', 'fods'];
    const { status, stderr } = spawnSync(
      'soffice',
      [...args, '--outdir', folder, join(folder, 'report.csv')],
      { encoding: 'utf8', env: { ...process.env, HOME: folder } },
    );
    assert.is(status, 0, stderr);
    const sheet = readFileSync(join(folder, 'report.fods'), 'utf8');
    assert.not.match(sheet, 'table:formula', 'nothing in it is a formula');
    return [...sheet.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(cellsOf),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const decoded = (text: string): string =>
  text.replaceAll('&apos;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

function cellsOf([, attributes = '', content = '']: RegExpMatchArray): Cell[] {
  const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1];
  const type = attribute('office:value-type') ?? '';
  const text = decoded(content.replace(/<[^>]*>/g, '').trim());
  const times =
    type === '' && text === ''
      ? Math.min(Number(attribute('table:number-columns-repeated') ?? 1), 30)
      : Number(attribute('table:number-columns-repeated') ?? 1);
  return Array.from({ length: times }, () => ({ type, value: attribute('office:value'), text }));
}

const check = (actual: number, message: string) => ({
  type: 'check' as const,
  goal: 0,
  kind: 'CHECK',
  sensor: 'AI01',
  op: 'range',
  low: 0.6,
  high: 1e-7,
  actual,
  unit: 'V',
  outcome: 'failed' as const,
  message,
});

withOffice(
  'REC-008 LibreOffice Calc opens the CSV report: Polish text, numbers as numbers, no formula, nothing taken for a date',
  () => {
    const events = eventsOf(
      check(-0.125, 'Zażółć gęślą jaźń; „cudzysłów”, średnik'),
      check(12.5, '=HYPERLINK("http://example.org";"x")'),
      check(3, '+48 22 000'),
      { type: 'run.end', outcome: 'failed', ok: false, judged: true, passed: 1, total: 2, durationMs: 4000 },
    );
    const csv = csvTable({
      result: resultOf({ events }),
      version: '1.2.3',
      scenarioHash: 'abc',
      tested: { unit: '00417', part: '1-2', revision: 'Ł', batch: '3/4', operator: '@Żaneta' },
    });
    const [head = [], ...rows] = opened(csv);
    const columns = head.map(({ text }) => text);
    const at = (row: number, column: string) => {
      const cell = rows[row]?.[columns.indexOf(column)];
      if (!cell) throw new Error(`there is no ${column} in row ${row}`);
      return cell;
    };
    assert.equal([at(0, 'value').type, at(0, 'value').value], ['float', '-0.125']);
    assert.equal([at(1, 'value').type, at(1, 'value').value], ['float', '12.5']);
    assert.equal([at(0, 'low').value, at(0, 'high').value], ['0.6', '0.0000001']);
    assert.is(at(0, 'text').text, 'Zażółć gęślą jaźń; „cudzysłów”, średnik');
    for (const [row, start] of [
      [1, "'=HYPERLINK("],
      [2, "'+48 22 000"],
    ] as const) {
      assert.is(at(row, 'text').type, 'string');
      assert.ok(at(row, 'text').text.startsWith(start), at(row, 'text').text);
    }
    assert.equal([at(0, 'operator').text, at(0, 'revision').text], ["'@Żaneta", 'Ł']);
    for (const [column, text] of [
      ['unit_under_test', '00417'],
      ['part', '1-2'],
      ['batch', '3/4'],
    ] as const)
      assert.equal([at(0, column).type, at(0, column).text], ['string', text], column);
    assert.equal([at(3, 'value').type, at(3, 'value').text], ['string', '1/2']);
  },
  { timeoutMs: 300_000 },
);

test.run();
