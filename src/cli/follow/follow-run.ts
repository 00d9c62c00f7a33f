import { reasonOf } from '../../lib/errors/reason.ts';
import type { RunEvent } from '../../scenario/events/event.ts';
import { TextOutput } from '../../scenario/run/text-output.ts';
import { visible } from '../diagnostics/cells.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { JsonObject } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';
import { readEventStream } from './event-stream.ts';
import type { ServerCalls } from './server-calls.ts';

/** A server that is started anew comes back within so many tries, one a second. */
const MOST_TRIES = 30;
const RETRY_MS = 1000;
/** Of streams of a run that has ended, without a new event and without the last one. */
const MOST_ENDLESS = 2;

/** Outcomes of blocks: the text of the events has their reasons. */
const IN_EVENTS: ReadonlySet<string> = new Set(['failed', 'error', 'inconclusive', 'skipped', 'aborted']);

export interface FollowOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * Shows the events of a run of svc-server until it ends. A broken connection is opened again behind the last event. When
 * this program ends, the run goes on. @returns the exit code of the run; @throws CliError
 */
export async function followRun(
  server: ServerCalls,
  id: string,
  { json = false, quiet = false }: FollowOptions,
  io: Io,
): Promise<number> {
  const stream = json ? io.stderr : io.stdout;
  const text = new TextOutput((line) => stream.write(`${visible(line)}\n`), { quiet });
  let last: string | undefined;
  let tries = 0;
  let endless = 0;
  const faults = new Set<string>();
  // Asked first: an unknown run is a clear answer, and no reason to try again.
  await runView(server, id);
  for (;;) {
    try {
      const ended = await follow(
        server,
        id,
        last,
        io,
        (event, number) => {
          last = number;
          tries = 0;
          endless = 0;
          tellPrompt(event, id, io);
          text.event(event);
        },
        (fault) => {
          // A connection that is opened again tells it again.
          if (!faults.has(fault)) io.stderr.write(`svcctl: ${id}: ${visible(fault)}\n`);
          faults.add(fault);
        },
      );
      if (ended) break;
      if ((await hasEnded(server, id)) && ++endless > MOST_ENDLESS) throw withoutEnd(id);
    } catch (thrown) {
      if (thrown instanceof CliError) throw thrown;
      const isUnread = thrown instanceof UnreadRecord;
      if (++tries > MOST_TRIES)
        throw isUnread ? unreadable(id, thrown) : server.unreachable(reasonOf(thrown), thrown);
      const what = isUnread
        ? `${id}: ${visible(thrown.message)}`
        : `${server.url} is gone (${reasonOf(thrown)})`;
      if (tries === 1) io.stderr.write(`svcctl: ${what}; trying again\n`);
    }
    await io.clock.sleep(RETRY_MS);
  }
  const run = await endedRun(server, id, io);
  // A verdict counts with its whole record.
  const isWhole = faults.size === 0;
  if (json) {
    const damaged = { status: 'error', ok: false, recorded_status: run.status, record_faults: [...faults] };
    const shown = isWhole ? run : { ...run, ...damaged };
    io.stdout.write(`${JSON.stringify(shown)}\n`);
  }
  for (const { code, message } of (run.errors ?? []) as { code: string; message: string }[])
    if (!IN_EVENTS.has(code)) io.stderr.write(`svcctl: ${id}: ${code}: ${visible(message)}\n`);
  if (isWhole) return exitCodeOf(String(run.status));
  stream.write(`the verdict does not count: ${visible([...faults].join('; '))}\n`);
  return EXIT.error;
}

const runView = (server: ServerCalls, id: string): Promise<JsonObject> =>
  server.call('GET', `/api/runs/${encodeURIComponent(id)}`);

const LIVE: ReadonlySet<unknown> = new Set(['queued', 'running', 'aborting']);

/** @returns whether the run has an ending; false also where the server cannot be asked now. @throws CliError `run_lost` */
async function hasEnded(server: ServerCalls, id: string): Promise<boolean> {
  try {
    const run = await runView(server, id);
    requireLiveOrEnded(run, id);
    return run.ended_at !== null;
  } catch (thrown) {
    if (thrown instanceof CliError && thrown.code === 'server_unreachable') return false;
    throw thrown;
  }
}

/** The server cannot read the record now. */
class UnreadRecord extends Error {}

const unreadable = (id: string, cause: UnreadRecord): CliError =>
  new CliError(
    'record_unreadable',
    `${id} cannot be followed: ${cause.message}; it was tried ${MOST_TRIES} times; look into the log of svc-server, and follow the run again`,
    EXIT.error,
    { cause },
  );

const withoutEnd = (id: string): CliError =>
  new CliError(
    'record_damaged',
    `${id} has ended, and its last event is not in its record: there is no verdict; svcctl verify ${id} shows what differs`,
    EXIT.error,
  );

/** A run that neither goes on nor has an ending never gets one from this server. @throws CliError `run_lost` */
function requireLiveOrEnded({ status, ended_at }: JsonObject, id: string): void {
  if (ended_at !== null || LIVE.has(status)) return;
  throw new CliError(
    'run_lost',
    `${id} is no longer carried out and its record has no ending: there is no verdict; look into the log of svc-server, and restart it to end the record`,
    EXIT.error,
  );
}

/** @returns whether the run has ended; false: the stream broke off. @throws UnreadRecord, the fault of the connection */
async function follow(
  server: ServerCalls,
  id: string,
  last: string | undefined,
  io: Io,
  take: (event: RunEvent, number: string) => void,
  lack: (fault: string) => void,
): Promise<boolean> {
  const headers = { ...server.headers, ...(last === undefined ? {} : { 'last-event-id': last }) };
  const response = await io.fetch(`${server.url}/api/runs/${encodeURIComponent(id)}/events`, { headers });
  if (response.status === 204) return true;
  if (response.status !== 200 || !response.body)
    throw new CliError('run_not_followed', `${server.url} answered ${response.status}`, EXIT.error);
  for await (const one of readEventStream(response.body as AsyncIterable<Uint8Array>)) {
    if ('fault' in one) {
      if (one.temporary) throw new UnreadRecord(one.fault);
      lack(one.fault);
    } else take(one.event, one.id);
    if ('event' in one && one.event.type === 'run.end') return true;
  }
  return false;
}

/** The server writes the ending behind the last event. @throws CliError `run_lost` */
async function endedRun(server: ServerCalls, id: string, io: Io): Promise<JsonObject> {
  for (;;) {
    const run = await runView(server, id);
    if (run.ended_at !== null) return run;
    requireLiveOrEnded(run, id);
    await io.clock.sleep(50);
  }
}

function tellPrompt(event: RunEvent, id: string, { stderr }: Io): void {
  if (event.type !== 'prompt' || event.action !== 'open') return;
  const choices = event.choices.length > 0 ? ` (${event.choices.join(', ')})` : '';
  stderr.write(
    `svcctl: prompt ${event.n}: ${visible(event.message)}${visible(choices)}; answer it on the page, or by POST /api/runs/${id}/prompts/${event.n}\n`,
  );
}

function exitCodeOf(status: string): number {
  if (status === 'passed' || status === 'done') return EXIT.ok;
  if (status === 'failed') return EXIT.failed;
  return status === 'aborted' ? EXIT.aborted : EXIT.error;
}
