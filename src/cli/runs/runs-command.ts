import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { numberText } from '../../lib/http/query-types.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { RecordError } from '../../scenario/records/record-error.ts';
import { type RemovedRun, removedRuns } from '../../scenario/records/retention.ts';
import { runFilterOf, runFilterQuery } from '../../services/server/routes/run-filter-query.ts';
import { answer } from '../../services/server/run-index/answer.ts';
import { IndexError } from '../../services/server/run-index/index-error.ts';
import { indexedRun } from '../../services/server/run-index/indexed-run.ts';
import { INDEX_FILE } from '../../services/server/run-index/open-index.ts';
import { listDirectories } from '../../services/server/run-index/queries/list-directories.ts';
import type { ListQuestion, RunList } from '../../services/server/run-index/queries/list-runs.ts';
import { RunIndex } from '../../services/server/run-index/run-index.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';

const querySchema = z.object({
  ...runFilterQuery,
  limit: numberText({ min: 1, max: 1000, integer: true }).default(50),
  before: z.string().optional(),
});

export type RunsOptions = { [Name in keyof z.input<typeof querySchema>]?: string } & {
  rebuild?: boolean;
  json?: boolean;
};

/** Lists the records of `SVC_STATE_DIR`. @returns exit code @throws CliError */
export async function runsCommand(options: RunsOptions, io: Io): Promise<number> {
  const parsed = querySchema.safeParse(options);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    throw usageError(`--${name} ${JSON.stringify(options[name as keyof RunsOptions])}: ${issue?.message}`);
  }
  const { limit, before } = parsed.data;
  const stateDir = stateDirOf(io.env);
  const question = { filter: runFilterOf(parsed.data), limit, before, live: {} };
  try {
    if (options.rebuild) await rebuild(stateDir, io);
    return print(await list(stateDir, question, io), removedRuns(stateDir), options.json === true, io);
  } catch (thrown) {
    if (!(thrown instanceof RecordError || thrown instanceof IndexError)) throw thrown;
    throw new CliError(thrown.code, thrown.message, EXIT.error, { cause: thrown });
  }
}

function openAt(stateDir: string, io: Io): RunIndex {
  const report = (message: string) => io.stderr.write(`${message}\n`);
  return new RunIndex({ stateDir, monotonicMs: () => io.clock.monotonic(), report });
}

/** @throws IndexError */
async function rebuild(stateDir: string, io: Io): Promise<void> {
  const index = openAt(stateDir, io);
  try {
    index.rebuild();
    while (await index.step());
    const { records } = index.progress();
    io.stderr.write(`the index of ${records} records in ${stateDir} was made again\n`);
  } finally {
    index.close();
  }
}

/** By the index where there is one; svc-server makes it. */
async function list(
  stateDir: string,
  question: ListQuestion,
  io: Io,
): Promise<RunList & { source: string; note: string | null }> {
  const fromDirectories = async (note: string | null) => ({
    ...(await listDirectories(stateDir, question)),
    source: 'directories',
    note,
  });
  if (!existsSync(join(stateDir, INDEX_FILE))) return fromDirectories('there is no index');
  const index = openAt(stateDir, io);
  try {
    return { ...(await answer(index, 'list', question)), source: 'index', note: null };
  } catch (thrown) {
    if (!(thrown instanceof IndexError)) throw thrown;
    return fromDirectories(messageOf(thrown));
  } finally {
    index.close();
  }
}

function print(
  { runs, next, source, note }: RunList & { source: string; note: string | null },
  removed: readonly RemovedRun[],
  json: boolean,
  io: Io,
): number {
  const damaged = runs.flatMap((run) => ('damaged' in run ? [run.damaged] : []));
  const code = damaged.length === 0 ? EXIT.ok : EXIT.failed;
  if (json) {
    const listed = runs.flatMap((run) =>
      'file' in run ? [{ identity: run.file.identity, ending: run.file.ending, seal: run.seal }] : [],
    );
    io.stdout.write(`${JSON.stringify({ runs: listed, damaged, next, source, note, removed })}\n`);
    return code;
  }
  for (const run of runs) {
    if ('damaged' in run) {
      const { run_id, seal, reason } = run.damaged;
      io.stdout.write(`${run_id}  ${seal === 'unsealed' ? 'NOT SEALED' : 'damaged'}: ${reason}\n`);
      continue;
    }
    const { runId, startedMs, status, scenario, serial, operator, hardware } = indexedRun(run.file);
    const cells = [
      runId,
      new Date(startedMs).toISOString().slice(0, 19).replace('T', ' '),
      (status ?? 'no ending').padEnd(12),
      hardware.padEnd(5),
      scenario,
      ...(serial === null ? [] : [serial]),
      ...(operator === null ? [] : [`(${operator})`]),
    ];
    io.stdout.write(`${cells.join('  ')}\n`);
  }
  if (runs.length === 0) io.stderr.write('no run\n');
  const last = removed.at(-1);
  if (last)
    io.stderr.write(
      `${removed.length} older runs were removed by svc.yaml, the last one ${last.run_id} by ${last.rule}; --json lists them\n`,
    );
  if (next !== null) io.stderr.write(`more: --before ${next}\n`);
  return code;
}
