import { planOf } from '../../scenario/program/plan.ts';
import { renderCommands } from '../../scenario/program/render-plan.ts';
import type { CheckedScenario } from '../../scenario/safety/load-checked.ts';
import { visible } from '../diagnostics/cells.ts';
import type { Io } from '../io/io.ts';
import { ConsoleReporter } from './console-reporter.ts';
import type { RunRequest } from './perform-run.ts';

/** Shows in which order a scenario would run, without running it. @returns false when the scenario has errors */
export function printPlan(
  { sources, options }: RunRequest,
  { program, diagnostics, safety }: CheckedScenario,
  io: Io,
): boolean {
  const { json = false, quiet = false } = options;
  const voice = new ConsoleReporter(io, { json, quiet, live: false, texts: sources.texts });
  for (const diagnostic of diagnostics) voice.diagnostic(diagnostic);
  const refused = diagnostics.find(({ severity }) => severity === 'error');
  if (json) {
    const plan = {
      ok: !refused,
      file: program.file,
      scenario: program.scenario,
      version: program.version,
      dialect: program.dialect,
    };
    const failure = refused
      ? { error: refused.message, code: refused.code }
      : { plan: planOf(program), worstCaseS: safety?.worstCaseS ?? null };
    io.stdout.write(`${JSON.stringify({ ...plan, ...failure })}\n`);
  } else if (!refused) {
    for (const { kind, name, teardown, optional, leftOut, commands } of planOf(program).blocks) {
      const marks = [
        ...(teardown ? ['teardown, always runs'] : []),
        ...(optional ? ['optional'] : []),
        ...(leftOut ? ['left out by --goal'] : []),
      ];
      const label = `${kind === 'CONFIG' ? '[CONFIG] ' : ''}${name}${marks.map((mark) => ` (${mark})`).join('')}`;
      io.stdout.write(`${visible(label)}\n`);
      for (const line of renderCommands(commands)) io.stdout.write(`  ${visible(line)}\n`);
    }
  }
  return !refused;
}
