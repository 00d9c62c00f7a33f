import { reasonsSentence, rigReasons } from '../../scenario/diagnostics/rig-finding.ts';
import { type CheckedScenario, loadChecked } from '../../scenario/safety/load-checked.ts';
import { about } from '../../scenario/safety/run-time.ts';
import { decode } from '../../scenario/source/decode.ts';
import { paintFor } from '../diagnostics/colour.ts';
import { countFindings, renderDiagnostic, renderFinding } from '../diagnostics/render.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { type GivenVariables, givenVariables, type VariableOptions } from '../options/given-variables.ts';
import { libraryRoot } from '../options/library.ts';
import { type RigSettings, rigSettings } from '../rig/rig-settings.ts';
import { readSource } from '../source/read-source.ts';
import { type Sources, sourcesOf } from '../source/recording-loader.ts';
import type { ScenarioSource } from '../source/scenario-source.ts';

export interface ValidateOptions extends VariableOptions {
  readonly as?: 2 | 3 | 4;
  readonly strict?: boolean;
  /** A scenario that this rig cannot run ends with exit code 1. */
  readonly forRig?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly pretty?: boolean;
  readonly library?: string;
}

/** `svcctl validate`. @returns the exit code */
export async function validateCommand(name: string, options: ValidateOptions, io: Io): Promise<number> {
  const root = libraryRoot(options.library, io);
  const variables = givenVariables(options, io);
  const [rig, source] = await Promise.all([rigSettings(io), readSource(name, io)]);
  const sources = sourcesOf(source, root);
  const decoded = decode(source.bytes);
  // Bytes that are not scenario text at all: nothing was validated.
  const badExit = 'text' in decoded ? EXIT.failed : EXIT.usage;
  if (options.as === undefined && !options.json) {
    const checked = checkedScenario(source, sources, rig, options, variables);
    const valid = printDiagnostics(source, sources, checked, io);
    return exitCode(valid, rigReasons(checked.diagnostics), options, badExit);
  }
  const { validateScenario } = await import('../../scenario/profiles/report.ts');
  const { fatalReport, isCompleted } = await import('../../scenario/profiles/report-shape.ts');
  const { withSafety } = await import('./profile-report.ts');
  const { as, strict, dryRun } = options;
  const text = textFor(decoded, source);
  const judged =
    text === undefined
      ? fatalReport(`${source.name}: ${'detail' in decoded ? decoded.detail : 'cannot be read'}`)
      : await validateScenario(text, source.name, {
          loader: sources.loader,
          registry: rig.registry,
          variables,
          ...(as === undefined ? {} : { as }),
          ...(strict === undefined ? {} : { strict }),
          ...(dryRun === undefined ? {} : { dryRun }),
        });
  const report = isCompleted(judged)
    ? withSafety(judged, source.name, checkedScenario(source, sources, rig, options, variables), as)
    : judged;
  if (options.json) io.stdout.write(`${JSON.stringify(report, null, options.pretty ? 2 : undefined)}\n`);
  else if (isCompleted(report)) {
    const { issueFinding } = await import('./profile-report.ts');
    const findings = report.issues.map((issue) => issueFinding(issue, source.name, sources.texts));
    const render = renderOptions(sources, io);
    print(
      source,
      findings,
      findings.map((finding) => renderFinding(finding, render)),
      io,
      { reasons: report.rig?.reasons ?? [] },
    );
  } else io.stderr.write(`svcctl: ${report.fatal}\n`);
  return exitCode(report.valid, isCompleted(report) ? (report.rig?.reasons ?? []) : [], options, badExit);
}

function exitCode(
  valid: boolean,
  reasons: readonly string[],
  { forRig }: ValidateOptions,
  badExit: number,
): number {
  if (!valid) return badExit;
  return forRig && reasons.length > 0 ? EXIT.failed : EXIT.ok;
}

/** The scenario as an execute run would judge it. */
const checkedScenario = (
  { bytes, name }: ScenarioSource,
  { loader }: Sources,
  { registry, limits, interlocks }: RigSettings,
  { strict }: ValidateOptions,
  variables: GivenVariables,
): CheckedScenario =>
  loadChecked(bytes, name, {
    loader,
    rigSeverity: strict ? 'error' : 'warning',
    safety: { registry, limits, interlocks, variables },
  });

/** The text for a profile. A web page is one of its rules; other bytes that cannot be read are not judged. */
function textFor(decoded: ReturnType<typeof decode>, { bytes }: ScenarioSource): string | undefined {
  if ('text' in decoded) return decoded.text;
  return decoded.fault === 'html' ? new TextDecoder().decode(bytes) : undefined;
}

function printDiagnostics(
  source: ScenarioSource,
  sources: Sources,
  { diagnostics, safety, program }: CheckedScenario,
  io: Io,
): boolean {
  const render = renderOptions(sources, io);
  print(
    source,
    diagnostics,
    diagnostics.map((one) => renderDiagnostic(one, render)),
    io,
    {
      reasons: rigReasons(diagnostics),
      // A library runs nothing, and takes no time.
      ...(program.blocks.length > 0 && safety?.worstCaseS !== undefined
        ? { longest: about(safety.worstCaseS * 1000) }
        : {}),
    },
  );
  return !diagnostics.some(({ severity }) => severity === 'error');
}

function print(
  { name }: ScenarioSource,
  found: Parameters<typeof countFindings>[0],
  rendered: readonly string[],
  { stdout }: Io,
  { reasons, longest }: { readonly reasons: readonly string[]; readonly longest?: string },
): void {
  const valid = !found.some(({ severity }) => severity === 'error');
  const counts = countFindings(found);
  for (const text of rendered) stdout.write(`${text}\n\n`);
  const verdict = valid && reasons.length > 0 ? `${VALID_ELSEWHERE}: ${reasonsSentence(reasons)}` : undefined;
  stdout.write(
    `${name}: ${verdict ?? (valid ? 'valid' : 'not valid')}${counts === '' ? '' : `${verdict ? ';' : ','} ${counts}`}${longest === undefined ? '' : `; runs ${longest} at most`}\n`,
  );
}

const VALID_ELSEWHERE = 'valid, but this rig cannot run it';

const renderOptions = ({ texts }: Sources, { stdout, env }: Io) => ({
  texts,
  paint: paintFor(stdout, env),
  columns: stdout.columns,
});
