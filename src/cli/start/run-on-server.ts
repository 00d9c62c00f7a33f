import { writeFileSync } from 'node:fs';
import { parse } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { followRun } from '../follow/follow-run.ts';
import { ServerCalls } from '../follow/server-calls.ts';
import type { Io } from '../io/io.ts';
import type { ScenarioRun } from './run-scenario.ts';
import type { StopRequests } from './stop-requests.ts';

/** Teardown 60 s and safe state 5 s end by themselves; then the end of the server makes the rig safe. */
const ENDING_LIMIT_MS = 70_000;

/**
 * Runs a shipped scenario in execute mode by svc-server, so that it is on the page too, and shows it on this terminal. The
 * first wish to stop aborts it: teardown and safe state follow. The second one does not wait for that, for the end of the
 * server makes the rig safe. @returns exit code as of svcctl, and the id of the record. @throws CliError
 */
export async function runOnServer(
  { scenario, report }: Pick<ScenarioRun, 'scenario' | 'report'>,
  { serverUrl, stop, io }: { serverUrl: string; stop: StopRequests; io: Io },
): Promise<{ exitCode: number; id: string }> {
  const server = new ServerCalls(serverUrl, io);
  const body = { mode: 'execute', started_by: 'svcctl' };
  const { run_id } = await server.call('POST', `/api/scenarios/${parse(scenario).name}/run`, body);
  const id = String(run_id);
  let unlisten = () => {};
  let cancel = () => {};
  const given = new Promise<number>((resolve) => {
    unlisten = stop.listen((_signal, count) => {
      if (count > 1) resolve(EXIT.aborted);
      server
        .call('POST', `/api/runs/${id}/abort`, {})
        .catch((thrown: unknown) => io.stderr.write(`svc-start: ${messageOf(thrown)}\n`));
      cancel();
      cancel = io.clock.after(ENDING_LIMIT_MS, () => resolve(EXIT.aborted));
    });
  });
  const followed = followRun(server, id, {}, io).then(async (exitCode) => {
    await keepReport(server, id, report, io);
    return exitCode;
  });
  try {
    return { exitCode: await Promise.race([followed, given]), id };
  } finally {
    unlisten();
    cancel();
    // No caller waits for it any more when the run is left to the end of the server.
    followed.catch(() => {});
  }
}

async function keepReport(server: ServerCalls, id: string, path: string, io: Io): Promise<void> {
  const { headers, url } = server;
  const answer = await io.fetch(`${url}/api/runs/${id}/report?format=html`, { headers });
  const text = await answer.text();
  if (answer.ok) writeFileSync(path, text);
  else io.stderr.write(`svc-start: there is no report of ${id}: ${text}\n`);
}
