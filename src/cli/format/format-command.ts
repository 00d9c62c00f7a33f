import { resolve } from 'node:path';
import { formatScenario } from '../../scenario/format/format.ts';
import { writeAtomically } from '../../scenario/outputs/atomic-write.ts';
import { decode } from '../../scenario/source/decode.ts';
import { paintFor } from '../diagnostics/colour.ts';
import { countFindings, renderDiagnostic } from '../diagnostics/render.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { libraryRoot } from '../options/library.ts';
import { readScenarioFile } from '../source/read-file.ts';
import { sourcesOf } from '../source/recording-loader.ts';

export interface FormatOptions {
  readonly write?: boolean;
  readonly check?: boolean;
  readonly library?: string;
}

/** `svcctl format`. @returns the worst exit code of the files */
export async function formatCommand(
  names: readonly string[],
  options: FormatOptions,
  io: Io,
): Promise<number> {
  if (options.write && options.check)
    throw usageError('--write and --check exclude each other: use one of them');
  if (names.length > 1 && !options.write && !options.check)
    throw usageError(`${names.length} files cannot be printed as one: use --write or --check`);
  if (options.write && names.includes('-'))
    throw usageError('--write has no file to write for "-": leave --write out to get the text');
  let exitCode: number = EXIT.ok;
  for (const name of names) exitCode = Math.max(exitCode, formatOne(name, options, io));
  return exitCode;
}

function formatOne(name: string, { write, check, library }: FormatOptions, io: Io): number {
  const source = readScenarioFile(name, io.cwd);
  const { loader, texts } = sourcesOf(source, libraryRoot(library, io));
  const decoded = decode(source.bytes);
  if (!('text' in decoded))
    throw new CliError('source_unreadable', `cannot format ${name}: ${decoded.fault}: ${decoded.detail}`);
  const formatted = formatScenario(decoded.text, source.name, { loader });
  if ('diagnostics' in formatted) {
    const options = { texts, paint: paintFor(io.stderr, io.env), columns: io.stderr.columns };
    const errors = formatted.diagnostics.filter(({ severity }) => severity === 'error');
    for (const one of errors) io.stderr.write(`${renderDiagnostic(one, options)}\n\n`);
    io.stderr.write(`svcctl: ${name} is unchanged: ${countFindings(errors)} to correct first\n`);
    return EXIT.usage;
  }
  const same = formatted.text === decoded.text;
  if (check) {
    if (!same)
      io.stderr.write(`svcctl: ${name} is not in canonical form: svcctl format -w ${name} rewrites it\n`);
    return same ? EXIT.ok : EXIT.failed;
  }
  if (!write) io.stdout.write(formatted.text);
  else if (!same) writeAtomically(resolve(io.cwd, name), formatted.text);
  return EXIT.ok;
}
