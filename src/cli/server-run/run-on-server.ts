import { statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { sha256 } from '../../scenario/records/event-chain.ts';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { followRun } from '../follow/follow-run.ts';
import { ServerCalls } from '../follow/server-calls.ts';
import type { Io } from '../io/io.ts';
import { givenVariables } from '../options/given-variables.ts';
import { libraryRoot } from '../options/library.ts';
import type { RunOptions } from '../run/run-settings.ts';
import { readScenarioFile } from '../source/read-file.ts';

export interface ServerRunOptions extends RunOptions {
  readonly detach?: boolean;
}

/** Options that a run of the server has too. */
const USED: ReadonlySet<string> = new Set([
  ...['mode', 'server', 'detach', 'serverUrl', 'library', 'json', 'quiet'],
  ...['var', 'vars', 'simulated', 'withoutGuard', 'unit', 'part', 'revision', 'batch', 'operator'],
]);

/** `svcctl run --server`: the run belongs to svc-server and survives this program and its terminal. @returns exit code @throws CliError */
export async function runOnServer(name: string, options: ServerRunOptions, io: Io): Promise<number> {
  const unused = Object.entries(options).find(([key, value]) => value !== undefined && !USED.has(key));
  if (unused)
    throw usageError(
      `--${unused[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is for a run of svcctl itself: leave it out with --server`,
    );
  const server = new ServerCalls(options.serverUrl, io);
  const { id, text } = namedScenario(name, options.library, io);
  const { unit, part, revision, batch, operator, simulated, withoutGuard } = options;
  const run = await server.call('POST', `/api/scenarios/${encodeURIComponent(id)}/run`, {
    mode: options.mode,
    ...given({ scenario_sha256: text && sha256(text) }),
    variables: givenVariables(options, io),
    ...given({ unit_under_test: unit, part, revision, batch, operator }),
    ...given({ simulated, without_guard: withoutGuard }),
    started_by: 'svcctl',
  });
  const runId = String(run.run_id);
  io.stderr.write(`svcctl: ${runId} belongs to svc-server; svcctl follow ${runId} shows it\n`);
  if (!options.detach) return followRun(server, runId, options, io);
  if (options.json) io.stdout.write(`${JSON.stringify(run)}\n`);
  return EXIT.ok;
}

const given = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

interface NamedScenario {
  /** As svc-server names it: `scenarios/masks/leak.oql` -> `masks/leak`. */
  readonly id: string;
  /** Of the file that was named; the server runs no other one. Undefined: no file of this machine has that name. */
  readonly text?: Uint8Array;
}

/** @throws CliError exit code 2 */
function namedScenario(name: string, library: string | undefined, io: Io): NamedScenario {
  const root = libraryRoot(library, io);
  const file = resolve(io.cwd, name);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const path = root === undefined ? '..' : relative(root, file);
  const isInside = !path.startsWith('..') && /\.[^./\\]+$/.test(path);
  if (isFile && root !== undefined && !isInside)
    throw usageError(
      `${file} is outside ${root}, and svc-server runs only the scenarios of its folder: copy it there, or leave --server out`,
    );
  const id = (isInside ? path.split(sep).join('/') : name).replace(/\.[^./\\]+$/, '');
  return isFile ? { id, text: readScenarioFile(name, io.cwd).bytes } : { id };
}
