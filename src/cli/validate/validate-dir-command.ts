import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import { loadChecked } from '../../scenario/safety/load-checked.ts';
import { paintFor } from '../diagnostics/colour.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { libraryRoot } from '../options/library.ts';
import { type RigSettings, rigSettings } from '../rig/rig-settings.ts';
import { readScenarioFile } from '../source/read-file.ts';
import { type Sources, sourcesOf } from '../source/recording-loader.ts';

export interface ValidateDirOptions {
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly details?: boolean;
  readonly library?: string;
}

interface FileVerdict {
  readonly path: string;
  readonly status: 'OK' | 'WARN' | 'FAIL';
  /** Errors and warnings; information is none. */
  readonly issues: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Why the file could not be read. */
  readonly error?: string;
}

/** `svcctl validate-dir`. @returns the exit code */
export async function validateDirCommand(name: string, options: ValidateDirOptions, io: Io): Promise<number> {
  const directory = resolve(io.cwd, name);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new CliError(
      'source_unreadable',
      `cannot read ${name}: it is not a directory: name the root of the tree`,
    );
  const root = options.library || io.env.SVC_SCENARIO_DIR ? libraryRoot(options.library, io) : directory;
  const rig = await rigSettings(io);
  const files = scenarioFiles(directory);
  if (files.length === 0) return nothingFound(name, options, io);
  const verdicts: FileVerdict[] = [];
  for (const file of files) {
    const verdict = judge(
      file,
      name,
      { rig, root, strict: options.strict === true, details: options.details === true },
      io,
    );
    verdicts.push(verdict);
    if (!options.json) io.stdout.write(`  [${verdict.status}] ${file}: ${verdict.issues} issue(s)\n`);
  }
  const status =
    (['FAIL', 'WARN'] as const).find((one) => verdicts.some((verdict) => verdict.status === one)) ?? 'OK';
  const total = verdicts.reduce((sum, { issues }) => sum + issues, 0);
  if (options.json)
    io.stdout.write(
      `${JSON.stringify({ ok: status !== 'FAIL', status, count: files.length, issues_total: total, files: verdicts })}\n`,
    );
  else io.stdout.write(`\n[${status}] ${files.length} files, ${total} total issues\n`);
  return status === 'FAIL' ? EXIT.failed : EXIT.ok;
}

/** Nothing was validated, which is not a success. */
function nothingFound(name: string, { json }: ValidateDirOptions, { stdout }: Io): number {
  const error = `No .cql/.oql files found in ${name}`;
  stdout.write(`${json ? JSON.stringify({ ok: false, error, code: 'no_scenarios' }) : error}\n`);
  return EXIT.usage;
}

interface Judging {
  readonly rig: RigSettings;
  readonly root: string | undefined;
  readonly strict: boolean;
  readonly details: boolean;
}

function judge(
  file: string,
  directory: string,
  { rig, root, strict, details }: Judging,
  io: Io,
): FileVerdict {
  let sources: Sources;
  let diagnostics: readonly Diagnostic[];
  try {
    const source = readScenarioFile(join(directory, file), io.cwd);
    sources = sourcesOf(source, root);
    const { registry, limits, interlocks } = rig;
    ({ diagnostics } = loadChecked(source.bytes, source.name, {
      loader: sources.loader,
      rigSeverity: strict ? 'error' : 'warning',
      safety: { registry, limits, interlocks },
    }));
  } catch (thrown) {
    io.stderr.write(`svcctl: ${messageOf(thrown)}\n`);
    return { path: file, status: 'FAIL', issues: 1, diagnostics: [], error: messageOf(thrown) };
  }
  const counted = diagnostics.filter(({ severity }) => severity !== 'info');
  if (details)
    for (const one of counted)
      io.stderr.write(
        `${renderDiagnostic(one, { texts: sources.texts, paint: paintFor(io.stderr, io.env), columns: io.stderr.columns })}\n\n`,
      );
  const failed = counted.some(({ severity }) => severity === 'error');
  return {
    path: file,
    status: failed ? 'FAIL' : counted.length > 0 ? 'WARN' : 'OK',
    issues: counted.length,
    diagnostics,
  };
}

const EXTENSIONS = ['.oql', '.cql'];

/**
 * Every scenario file below a directory, as paths relative to it with `/`, sorted by code point. Linked directories are
 * followed once.
 */
function scenarioFiles(directory: string): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const walk = (path: string) => {
    const real = realpathSync(path);
    if (seen.has(real)) return;
    seen.add(real);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const child = join(path, entry.name);
      const kind = entry.isSymbolicLink() ? statSync(child, { throwIfNoEntry: false }) : entry;
      if (kind?.isDirectory()) walk(child);
      // A link that leads nowhere is listed, so that it is reported as unreadable and not passed over.
      else if (EXTENSIONS.some((extension) => entry.name.endsWith(extension)) && (!kind || kind.isFile()))
        found.push(relative(directory, child).split(sep).join('/'));
    }
  };
  walk(directory);
  return found.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
