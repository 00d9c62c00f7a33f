import { planOf } from '../../scenario/program/plan.ts';
import { renderCommands } from '../../scenario/program/render-plan.ts';
import { loadChecked } from '../../scenario/safety/load-checked.ts';
import { visible } from '../diagnostics/cells.ts';
import type { Io } from '../io/io.ts';
import type { RunRequest } from './perform-run.ts';
import { timeoutsOf } from './run-settings.ts';
import { RunVoice } from './run-voice.ts';

/** Shows in which order a scenario would run, without running it. @returns false when the scenario has errors */
export function printPlan({ source, sources, rig, options }: RunRequest, io: Io): boolean {
  const { json = false, quiet = false, mode, strict = false } = options;
  const isStrict = strict || mode === 'execute';
  const { registry, limits, interlocks } = rig;
  const { program, diagnostics, safety } = loadChecked(source.bytes, source.name, {
    loader: sources.loader,
    rigSeverity: isStrict ? 'error' : 'warning',
    safety: { registry, limits, interlocks, variables: options.var ?? {}, timeouts: timeoutsOf(options) },
    warnsOf: () => mode === 'dry-run' && !strict,
  });
  const voice = new RunVoice(io, { json, quiet, live: false, texts: sources.texts });
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
    for (const { kind, name, teardown, optional, commands } of planOf(program).blocks) {
      const mark = teardown ? ' (teardown, always runs)' : optional ? ' (optional)' : '';
      io.stdout.write(`${visible(`${kind === 'CONFIG' ? '[CONFIG] ' : ''}${name}${mark}`)}\n`);
      for (const line of renderCommands(commands)) io.stdout.write(`  ${visible(line)}\n`);
    }
  }
  return !refused;
}
