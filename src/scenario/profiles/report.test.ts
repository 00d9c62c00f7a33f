import * as assert from 'uvu/assert';
import { test } from '../../test-kit/suite.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { DryRun, DryRunResult } from './dry-run.ts';
import { type CompletedReport, isCompleted, validateScenario } from './report.ts';

const GOOD = "VERSION: 4\nGOAL:\n  SET NAME 'x'\n  CHECK AI01 <= 5 V\n";

async function completed(...args: Parameters<typeof validateScenario>): Promise<CompletedReport> {
  const report = await validateScenario(...args);
  assert.ok(isCompleted(report), JSON.stringify(report));
  return report as CompletedReport;
}

const rules = (report: CompletedReport) => report.issues.map(({ rule, line }) => `${rule}:${line ?? '-'}`);

const PASSED: DryRunResult = { ok: true, outcome: 'passed', diagnostics: [], goals: [] };
const dryRun =
  (result: Partial<DryRunResult>): DryRun =>
  async () => ({ ...PASSED, ...result });

const finding = (severity: Diagnostic['severity'], file = 'x.oql'): Diagnostic => ({
  code: 'SCN244',
  name: 'no-checks',
  severity,
  message: 'found in the run',
  pos: { file, line: 2, col: 1, endLine: 2, endCol: 6 },
});

test('LANG-024 the report has exactly the members of the schema', async () => {
  const report = await completed(GOOD, 'x.oql', { as: 4 });
  assert.equal(report, {
    schema_version: '1.0',
    validator: 'oql_v4_validator',
    source: 'x.oql',
    valid: true,
    summary: { errors: 0, warnings: 0, issues_total: 0 },
    issues: [],
    migration_rules: report.migration_rules,
  });
  assert.equal(Object.keys(report.migration_rules), ['version', 'goal_format', 'loop_format', 'set_format']);
});

test('LANG-024 an issue has rule, severity, message, line and suggestion', async () => {
  const { issues, valid, summary } = await completed('', 'x.oql', { as: 4 });
  assert.is(valid, false);
  assert.equal(summary, { errors: 1, warnings: 0, issues_total: 1 });
  assert.equal(Object.keys(issues[0]!), ['rule', 'severity', 'message', 'line', 'suggestion']);
});

test('LANG-024 version_present: an empty text gives only this', async () => {
  for (const text of ['', '\n# only this\n'])
    assert.equal(rules(await completed(text, 'x.oql', { as: 4 })), ['version_present:-']);
});

test('LANG-024 runtime_dry_run alone: the dry-run fails without any finding', async () => {
  const stops = `${GOOD}  ERROR 'not built'\n`;
  const report = await completed(stops.replace('  CHECK', "  LOG 'x'\n  CHECK"), 'x.oql', {
    as: 4,
    run: dryRun({ ok: false, outcome: 'failed' }),
  });
  assert.equal(rules(report), ['runtime_dry_run:-']);
  assert.is(report.valid, false);
  assert.equal(rules(await completed(GOOD, 'x.oql', { as: 4, run: dryRun({}) })), []);
});

test('LANG-024 runtime_dry_run reports the real outcome of the interpreter', async () => {
  const failing = "VERSION: 4\nGOAL:\n  SET NAME 'x'\n  SET N 3\n  CHECK N <= 2\n    ERROR 'not built'\n";
  const report = await completed(failing, 'x.oql', { as: 4 });
  assert.equal(rules(report), ['runtime_dry_run:-']);
  assert.match(report.issues[0]!.message, /failed.*not built/);
});

test('LANG-024 runtime_error alone: each error of the dry-run', async () => {
  const run = dryRun({ diagnostics: [finding('error')] });
  assert.equal(rules(await completed(GOOD, 'x.oql', { as: 4, run })), ['runtime_error:2']);
});

test('LANG-024 runtime_warning alone: each warning, information is none, the text stays valid', async () => {
  const run = dryRun({ diagnostics: [finding('warning'), { ...finding('info'), message: 'by the way' }] });
  const report = await completed(GOOD, 'x.oql', { as: 4, run });
  assert.equal(rules(report), ['runtime_warning:2']);
  assert.is(report.valid, true);
  assert.equal(report.summary, { errors: 0, warnings: 1, issues_total: 1 });
});

test('LANG-024 what reader and dry-run both find is reported once', async () => {
  const text = "VERSION: 4\nGOAL:\n  SET NAME 'x'\n  CHEK AI01 <= 5 V\n";
  const report = await completed(text, 'x.oql', { as: 4 });
  assert.equal(rules(report), ['runtime_dry_run:-', 'runtime_error:4']);
});

test('LANG-024 runtime_exception alone: a crash of the interpreter is reported, not hidden', async () => {
  const report = await completed(GOOD, 'x.oql', {
    as: 4,
    run: async () => {
      throw new Error('boom');
    },
  });
  assert.equal(rules(report), ['runtime_exception:-']);
  assert.match(report.issues[0]!.message, /boom/);
  assert.is(report.valid, false);
});

test('LANG-024 runtime_import alone: without dry-run a warning says so', async () => {
  const report = await completed(GOOD, 'x.oql', { as: 4, dryRun: false });
  assert.equal(rules(report), ['runtime_import:-']);
  assert.is(report.valid, true);
});

test('LANG-024 non_oql_payload alone: HTML, and nothing else is checked', async () => {
  const report = await completed('\uFEFF\n<HTML><body>GOAL: x</body>', 'x.oql', { as: 4 });
  assert.equal(rules(report), ['non_oql_payload:1']);
});

test('LANG-024 a finding in an included file names it, and the line of the call when there is one', async () => {
  const inLibrary = finding('error', 'lib.oql');
  const stack = [{ file: 'x.oql', line: 9, col: 3, endLine: 9, endCol: 5 }];
  const run = dryRun({ diagnostics: [inLibrary, { ...inLibrary, message: 'called', stack }] });
  const { issues } = await completed(GOOD, 'x.oql', { as: 4, run });
  assert.equal(
    issues.map(({ line, message }) => [line, message.includes('lib.oql:2:1')]),
    [
      [null, true],
      [9, true],
    ],
  );
});

test('LANG-026 VERSION: 5 fails as 4', async () => {
  const report = await completed(GOOD.replace('4', '5'), 'x.oql', { as: 4 });
  assert.equal(rules(report), ['version_first_line:1', 'version_present:-']);
});

test('LANG-025 the report of version 2 has its own validator and migration rules', async () => {
  const report = await completed("GOAL:\n  SET NAME 'x'\n  VAL 'AI01' 'V'\n  CHECK AI01 <= 5 V\n", 'x.oql', {
    as: 2,
  });
  assert.is(report.validator, 'oql_v2_validator');
  assert.equal(rules(report), ['val_legacy:3']);
  assert.equal(Object.keys(report.migration_rules), [
    'target_version',
    'goal_format',
    'task_format',
    'condition_format',
  ]);
});

test('LANG-025 a text that cannot be read is not valid as 2', async () => {
  const report = await completed('<html>', 'x.oql', { as: 2 });
  assert.is(report.valid, false);
});

test('LANG-024 version 3 and no version: findings under the name of the diagnostic', async () => {
  const text = "GOAL:\n  SET NAME 'x'\n  CHEK AI01 <= 5 V\n";
  for (const [as, validator] of [
    [3, 'oql_v3_validator'],
    [undefined, 'oql_validator'],
  ] as const) {
    const report = await completed(text, 'x.oql', as ? { as } : {});
    assert.is(report.validator, validator);
    assert.equal(rules(report), ['unknown-command:3']);
    assert.is(report.issues[0]!.suggestion, 'CHECK');
  }
});

test('LANG-024 strict makes findings about the rig errors', async () => {
  const text = "GOAL:\n  SET NAME 'x'\n  SET valve-l 1\n  CHECK AI01 <= 5 V\n";
  assert.is((await completed(text, 'x.oql', {})).valid, true);
  assert.is((await completed(text, 'x.oql', { strict: true })).valid, false);
});

test('LANG-024 what keeps a text from being judged is fatal and never valid', async () => {
  const loader = {
    load(): never {
      throw new Error('disk gone');
    },
  };
  const report = await validateScenario("INCLUDE 'a.oql'\nGOAL x:\n  CHECK AI01 <= 5 V\n", 'x.oql', {
    as: 3,
    loader,
  });
  assert.is(report.valid, false);
});

test.run();
