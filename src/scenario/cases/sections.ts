import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { formatScenario } from '../format/format.ts';
import { toV4 } from '../migrate/to-v4.ts';
import { isCompleted, validateScenario } from '../profiles/report.ts';
import { planOf } from '../program/plan.ts';
import { renderPlan } from '../program/render-plan.ts';
import type { CaseContext } from './case-context.ts';
import type { Section } from './case-file.ts';
import { type BareWord, compareRecords, type RecordLine } from './record-line.ts';
import { renderTree } from './render-tree.ts';

/** What was found and what the case wants, as lines that must be equal. */
export interface Comparison {
  readonly actual: readonly string[];
  readonly expected: readonly string[];
}

type SectionCheck = (context: CaseContext, section: Section) => Comparison | Promise<Comparison>;

const LETTER = { error: 'E', warning: 'W', info: 'I' } as const;

/** `E SCN120 3:5 "CHEK" suggest=CHECK message~unknown` */
const diagnosticRecord =
  (context: CaseContext) =>
  ({ code, name, severity, message, pos, stack, suggestion, fix }: Diagnostic): RecordLine => ({
    type: LETTER[severity],
    fields: {
      code,
      name,
      at: `${pos.line}:${pos.col}`,
      line: pos.line,
      end: `${pos.endLine}:${pos.endCol}`,
      text: context.textAt(pos),
      file: context.fileOf(pos),
      suggest: suggestion,
      fix: fix?.text,
      fixes: fix && context.textAt(fix.pos),
      stack: stack?.map((one) => one.line),
      message,
    },
  });

const diagnosticWord: BareWord = (word) => {
  if (/^SCN\d{3}$/.test(word)) return { name: 'code', value: word };
  if (/^\d+$/.test(word)) return { name: 'line', value: Number(word) };
  if (/^\d+:\d+$/.test(word)) return { name: 'at', value: word };
  return { name: 'text', value: word };
};

async function checkOutcome(context: CaseContext, { lines }: Section): Promise<Comparison> {
  const result = await context.result;
  const records: RecordLine[] = [
    {
      type: 'run',
      fields: {
        outcome: result.outcome,
        ok: result.ok,
        judged: result.judged,
        passed: result.passed,
        total: result.total,
        simulated: result.simulated,
      },
    },
    ...result.goals.map((goal) => ({
      type: goal.kind,
      fields: {
        outcome: goal.outcome,
        name: goal.name,
        checks: goal.checks,
        failed: goal.failedChecks,
        attempts: goal.attempts,
        teardown: goal.teardown,
        ms: goal.durationMs,
        line: goal.pos.line,
        message: goal.message,
        procedure: goal.procedure === true,
        optional: goal.optional === true,
      },
    })),
  ];
  return compareRecords(lines, records, outcomeWord);
}

const outcomeWord: BareWord = (word) => {
  if (['passed', 'failed', 'error', 'inconclusive', 'skipped', 'aborted'].includes(word))
    return { name: 'outcome', value: word };
  if (/^\d+\/\d+$/.test(word)) return undefined;
  return { name: 'name', value: word };
};

async function checkEvents(context: CaseContext, { lines, words }: Section): Promise<Comparison> {
  const { events } = await context.result;
  const chosen = events.filter((event) => words.length === 0 || words.includes(event.type));
  const records = chosen.map(({ type, seq: _seq, time: _time, pos, ...fields }) => ({
    type,
    fields: { ...fields, line: pos?.line, file: pos ? context.fileOf(pos) : undefined },
  }));
  return compareRecords(lines, records);
}

async function checkVariables(context: CaseContext, { lines }: Section): Promise<Comparison> {
  const { variables } = await context.result;
  const names = lines.map((line) => line.trim().split(/\s+/)[0] ?? '');
  const records = names
    .filter((name) => name in variables)
    .map((name) => ({ type: name, fields: { ...variables[name] } }));
  return compareRecords(lines, records);
}

async function checkReport(context: CaseContext, { lines, words }: Section): Promise<Comparison> {
  const as = words[0] === undefined ? undefined : Number(words[0]);
  if (as !== undefined && as !== 2 && as !== 3 && as !== 4) throw new Error(`no profile ${words[0]}`);
  const report = await validateScenario(context.input, context.file, {
    registry: context.options.registry,
    strict: context.options.strict,
    ...(as === undefined ? {} : { as }),
    ...(context.loader ? { loader: context.loader } : {}),
  });
  if (!isCompleted(report)) return { actual: [`fatal ${report.fatal}`], expected: lines };
  const records: RecordLine[] = [
    { type: report.valid ? 'valid' : 'invalid', fields: { ...report.summary } },
    ...report.issues.map(({ severity, ...fields }) => ({
      type: severity,
      fields: { ...fields, line: fields.line ?? undefined },
    })),
  ];
  return compareRecords(lines, records, (word) =>
    /^\d+$/.test(word) ? { name: 'line', value: Number(word) } : { name: 'rule', value: word },
  );
}

/** Lines that are compared word by word; `none` stands for no line. */
const literal = (lines: readonly string[]) => (lines.length === 1 && lines[0] === 'none' ? [] : lines);

const show = (value: unknown): string[] => JSON.stringify(value, null, 1).split('\n');

function checkFormat(context: CaseContext, { lines }: Section): Comparison {
  const formatted = formatScenario(context.input, context.file);
  if (!('text' in formatted)) return { actual: ['refused'], expected: lines };
  const again = formatScenario(formatted.text, context.file);
  const twice = 'text' in again ? again.text : 'refused the second time';
  if (twice !== formatted.text) return { actual: twice.split('\n'), expected: formatted.text.split('\n') };
  const before = show(planOf(context.loaded.program));
  const after = show(planOf(context.load(formatted.text).program));
  if (before.join('\n') !== after.join('\n')) return { actual: after, expected: before };
  return { actual: formatted.text.split('\n'), expected: [...lines, ''] };
}

function checkMigration(context: CaseContext, { lines }: Section): Comparison {
  const migrated = toV4(context.input, context.file);
  if (migrated.status === 'unsupported')
    return {
      actual: migrated.unsupported.map(({ pos, reason }) => `unsupported ${pos.line}:${pos.col} ${reason}`),
      expected: lines,
    };
  if (migrated.status !== 'migrated') return { actual: [migrated.status], expected: lines };
  return { actual: migrated.text.split('\n'), expected: [...lines, ''] };
}

/** Every section that a case may have. */
export const SECTIONS: Readonly<Record<string, SectionCheck>> = {
  /** All findings of the reader and the static checks, in order. */
  diagnostics: (context, { lines }) =>
    compareRecords(lines, context.loaded.diagnostics.map(diagnosticRecord(context)), diagnosticWord),
  /** Findings with one of the codes named behind the arrow; others do not count. */
  finding: (context, { lines, words }) =>
    compareRecords(
      lines,
      context.loaded.diagnostics.filter(({ code }) => words.includes(code)).map(diagnosticRecord(context)),
      diagnosticWord,
    ),
  /** The same for the findings of the dry-run, reading included. */
  'run-finding': async (context, { lines, words }) =>
    compareRecords(
      lines,
      (await context.result).diagnostics
        .filter(({ code }) => words.includes(code))
        .map(diagnosticRecord(context)),
      diagnosticWord,
    ),
  /** The whole tree, each node with the text that its position selects. */
  tree: (context, { lines }) => ({
    actual: renderTree(context.loaded.document, (pos) => context.textAt(pos)),
    expected: literal(lines),
  }),
  /** The whole program. */
  plan: (context, { lines }) => ({ actual: renderPlan(context.loaded.program), expected: literal(lines) }),
  /** The text below has the same plan as the input. */
  'same-plan': (context, { lines }) => ({
    actual: show(planOf(context.load(`${lines.join('\n')}\n`).program)),
    expected: show(planOf(context.loaded.program)),
  }),
  /** `version 3`, `dialect flat`, `scenario x`, and metadata as `KEY = value`. */
  document: (context, { lines }) => {
    const { version, dialect, scenario, metadata } = context.loaded.program;
    const all = new Map<string, string>([
      ['version', `version ${version}`],
      ['dialect', `dialect ${dialect}`],
      ['scenario', `scenario ${scenario ?? 'none'}`],
      ...Object.entries(metadata).map(([key, value]): [string, string] => [key, `${key} = ${value}`]),
    ]);
    return { actual: lines.map((line) => all.get(line.split(' ')[0]!) ?? `no ${line}`), expected: lines };
  },
  /** Outcome of the dry-run: a line `run`, then one for each block. */
  outcome: checkOutcome,
  /** Events of the dry-run of the types named behind the arrow, in order. */
  events: checkEvents,
  /** Variables after the dry-run: those named, in this order. */
  variables: checkVariables,
  /** `==> report 4`: valid or invalid, then the issues of the profile, in order. */
  report: checkReport,
  /** Canonical form, which must be stable and keep the plan; or `refused`. */
  format: checkFormat,
  /** The text in version 4; or `unchanged`, `invalid`, or what is unsupported, with its place. */
  v4: checkMigration,
};
