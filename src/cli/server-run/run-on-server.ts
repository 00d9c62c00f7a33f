import { relative, resolve, sep } from 'node:path';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { followRun } from '../follow/follow-run.ts';
import { ServerCalls } from '../follow/server-calls.ts';
import type { Io } from '../io/io.ts';
import { givenVariables } from '../options/given-variables.ts';
import { libraryRoot } from '../options/library.ts';
import type { RunOptions } from '../run/run-settings.ts';

export interface ServerRunOptions extends RunOptions {
  /** The command line named the mode; else the server chooses. */
  readonly isModeGiven: boolean;
  readonly detach?: boolean;
}

/** Options that a run of the server has too. */
const USED: ReadonlySet<string> = new Set([
  ...['mode', 'isModeGiven', 'server', 'detach', 'serverUrl', 'library', 'json', 'quiet'],
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
  const id = scenarioId(name, options.library, io);
  const { unit, part, revision, batch, operator, simulated, withoutGuard } = options;
  const run = await server.call('POST', `/api/scenarios/${encodeURIComponent(id)}/run`, {
    ...(options.isModeGiven ? { mode: options.mode } : {}),
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

/** `scenarios/masks/leak.oql` -> `masks/leak`, as svc-server names it. */
function scenarioId(name: string, library: string | undefined, io: Io): string {
  const root = libraryRoot(library, io);
  const path = root === undefined ? '..' : relative(root, resolve(io.cwd, name));
  const isInside = !path.startsWith('..') && /\.[^./\\]+$/.test(path);
  return (isInside ? path.split(sep).join('/') : name).replace(/\.[^./\\]+$/, '');
}
