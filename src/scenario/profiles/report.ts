import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { loadScenario } from '../load.ts';
import type { GivenVariable } from '../run/variables.ts';
import { decode } from '../source/decode.ts';
import type { IncludeLoader } from '../syntax/include-loader.ts';
import { diagnosticIssues } from './diagnostic-issue.ts';
import { type DryRun, dryRunScenario } from './dry-run.ts';
import { completedReport, fatalReport, type ValidationReport } from './report-shape.ts';
import { meaningfulLines } from './source-line.ts';
import { applyRules } from './text-rule.ts';
import { V2_MIGRATION_RULES, V2_TEXT_RULES } from './v2-rules.ts';
import { V4_MIGRATION_RULES, V4_TEXT_RULES } from './v4-rules.ts';
import { runtimeIssues } from './v4-runtime.ts';

export { type CompletedReport, fatalReport, isCompleted, type ValidationReport } from './report-shape.ts';

export interface ValidateOptions {
  /** The version whose rules are applied; without it the reader's and the static checks alone. */
  readonly as?: 2 | 3 | 4;
  /** Findings about the rig's names and scales are errors. */
  readonly strict?: boolean;
  /** Version 4 only; default true. */
  readonly dryRun?: boolean;
  readonly registry?: Registry;
  readonly loader?: IncludeLoader;
  /** Given for the run that is validated. */
  readonly variables?: Readonly<Record<string, GivenVariable>>;
  /** How a dry-run is made; default the interpreter. */
  readonly run?: DryRun;
}

/**
 * Validates a scenario text. Never rejects: what keeps the text from being judged
 * is reported as a fatal report, which is not valid.
 * @param file name of the text, for messages and as the place from which includes are looked up
 */
export async function validateScenario(
  source: string,
  file: string,
  options: ValidateOptions = {},
): Promise<ValidationReport> {
  try {
    return await PROFILES[options.as ?? 0](source, file, options);
  } catch (thrown) {
    return fatalReport(`${file} could not be checked: ${messageOf(thrown)}`);
  }
}

type Profile = (source: string, file: string, options: ValidateOptions) => Promise<ValidationReport>;

const PROFILES: Record<0 | 2 | 3 | 4, Profile> = {
  0: async (source, file, options) => readerReport('oql_validator', source, file, options),
  2: async (source, file, options) => {
    const issues = applyRules(V2_TEXT_RULES, meaningfulLines(source));
    // A text that cannot be read is no good text of version 2 either.
    const errors = read(source, file, options).filter(({ severity }) => severity === 'error');
    return completedReport(
      'oql_v2_validator',
      file,
      [...issues, ...diagnosticIssues(errors, file)],
      V2_MIGRATION_RULES,
    );
  },
  3: async (source, file, options) => readerReport('oql_v3_validator', source, file, options),
  4: validateAsV4,
};

async function validateAsV4(
  source: string,
  file: string,
  options: ValidateOptions,
): Promise<ValidationReport> {
  const report = (issues: Parameters<typeof completedReport>[2]) =>
    completedReport('oql_v4_validator', file, issues, V4_MIGRATION_RULES);
  const decoded = decode(source);
  if ('fault' in decoded && decoded.fault === 'html')
    return report([
      {
        rule: 'non_oql_payload',
        severity: 'error',
        message: `the text is an HTML page ("${decoded.detail}"), not a scenario`,
        line: 1,
        suggestion: 'use the URL of the raw scenario text',
      },
    ]);
  const lines = meaningfulLines(source);
  const text = applyRules(V4_TEXT_RULES, lines);
  if (lines.length === 0) return report(text);
  const { dryRun = true, strict = false, registry, loader, variables, run = dryRunScenario } = options;
  const found = read(source, file, options);
  const runtime = await runtimeIssues({
    source,
    file,
    found,
    strict,
    run: dryRun ? run : undefined,
    library: found.some(({ code }) => code === 'SCN005'),
    ...(registry ? { registry } : {}),
    ...(loader ? { loader } : {}),
    ...(variables ? { variables } : {}),
  });
  return report([...text, ...runtime]);
}

const readerReport = (validator: string, source: string, file: string, options: ValidateOptions) =>
  completedReport(validator, file, diagnosticIssues(read(source, file, options), file), V3_MIGRATION_RULES);

function read(source: string, file: string, options: ValidateOptions): readonly Diagnostic[] {
  const { strict, registry, loader, variables } = options;
  return loadScenario(source, file, {
    rigSeverity: strict ? 'error' : 'warning',
    ...(registry ? { registry } : {}),
    ...(loader ? { loader } : {}),
    ...(variables ? { variables } : {}),
  }).diagnostics;
}

const V3_MIGRATION_RULES = {
  version: 'VERSION: 3, or no version line',
  goal_format: "GOAL:, then SET NAME '<name>'",
  loop_format: 'REPEAT <n>: ... REPEAT STOP',
  set_format: 'SET <target> <value> [<unit>]',
} as const;
