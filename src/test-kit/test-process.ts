import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Clock } from '../lib/clock/clock.ts';
import { MARK_VARIABLE } from '../lib/http/answer-tap.ts';
import { answerFaults } from './answers.ts';
import { EVENT_FD, type TestEvent } from './events.ts';
import { markedProcesses } from './leftovers.ts';
import { type FileResult, FileTally } from './tally.ts';

export interface Limits {
  /** From the start of the process until its tests are registered. */
  loadMs: number;
  /** What a process may take beyond its own time-outs before it counts as blocked. */
  blockedMs: number;
  /** From the last test until the process ends by itself. */
  exitGraceMs: number;
  /** The whole file. */
  fileMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  loadMs: 60_000,
  blockedMs: 5_000,
  exitGraceMs: 2_000,
  fileMs: 15 * 60_000,
};

/** How long a process that a test has just ended may take to vanish. */
const VANISH_MS = 1_000;
/** How long what a process has said may take to be read on a busy machine; somebody who is not marked may hold its output. */
const READ_MS = 10_000;

export interface TestProcessOptions {
  /** Name of the file in reports. */
  file: string;
  bundle: string;
  childModule: string;
  /** `list` registers the tests and runs none. */
  mode: 'run' | 'list';
  cwd: string;
  limits: Limits;
  clock: Clock;
  /** Ends the process group at once. */
  signal: AbortSignal;
  /** Called with each line that the process writes, when it comes. */
  hear?: (line: string) => void;
}

let started = 0;

/** Runs one test file in a process group of its own. Nothing of it is alive when the promise resolves. */
export async function runTestFile(options: TestProcessOptions): Promise<FileResult> {
  const { clock, limits, signal } = options;
  const mark = `${process.pid}-${++started}`;
  const startedAt = clock.monotonic();
  const tally = new FileTally();
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', options.childModule, options.bundle, options.mode, String(limits.exitGraceMs)],
    {
      cwd: options.cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, [MARK_VARIABLE]: mark },
    },
  );

  const stop = (why: string) => {
    tally.problem(why);
    killGroup(child);
  };
  let silence = () => {};
  let isOver = false;
  const expectWithin = (ms: number, why: string) => {
    silence();
    // What it said last may be read after its end.
    if (isOver) return;
    silence = clock.after(ms, () => stop(why));
  };
  const cancelBackstop = clock.after(limits.fileMs, () =>
    stop(`the file did not end within ${limits.fileMs} ms`),
  );
  const onAbort = () => stop('interrupted');
  signal.addEventListener('abort', onAbort, { once: true });

  expectWithin(limits.loadMs, `the file was not loaded within ${limits.loadMs} ms`);
  const events = readEvents(child.stdio[EVENT_FD] as Readable, (event) => {
    tally.apply(event);
    expectWithin(...nextDeadline(event, tally, limits));
  });
  const output = collect([child.stdout, child.stderr], options.hear);
  const exit = await exitOf(child);
  isOver = true;
  silence();
  cancelBackstop();
  signal.removeEventListener('abort', onAbort);

  const left = await endLeftovers(mark, clock);
  killGroup(child);
  const enough = new AbortController();
  const held = clock.sleep(READ_MS, enough.signal).catch(() => {});
  await Promise.race([Promise.all([events, output.ended]), held]);
  enough.abort();
  for (const stream of child.stdio) stream?.destroy();

  tally.ended(exit);
  for (const fault of answerFaults(mark)) tally.problem(fault);
  for (const { pid, command } of left) tally.problem(`the file left a process behind: ${pid} ${command}`);
  return {
    file: options.file,
    tests: tally.tests(),
    problems: tally.problems,
    output: output.text(),
    ms: clock.monotonic() - startedAt,
  };
}

/** How long the process may be silent after `event`, and what its silence means. */
function nextDeadline(event: TestEvent, tally: FileTally, limits: Limits): [number, string] {
  switch (event.type) {
    case 'started':
      return [event.timeoutMs + limits.blockedMs, `"${tally.running}" blocked the process and was ended`];
    case 'hook':
      return [event.timeoutMs + limits.blockedMs, `the ${event.name} blocked the process and was ended`];
    case 'finished':
      return [limits.exitGraceMs + limits.blockedMs, 'the process did not end after the last test'];
    default:
      return [limits.loadMs, `nothing was heard for ${limits.loadMs} ms after a test`];
  }
}

async function readEvents(stream: Readable, handle: (event: TestEvent) => void): Promise<void> {
  for await (const line of createInterface({ input: stream })) {
    handle(parseEvent(line));
  }
}

function parseEvent(line: string): TestEvent {
  try {
    return JSON.parse(line) as TestEvent;
  } catch {
    return {
      type: 'problem',
      failure: { message: `the event channel carried something else: ${line.slice(0, 200)}` },
    };
  }
}

function collect(
  streams: (Readable | null)[],
  hear?: (line: string) => void,
): { text: () => string; ended: Promise<unknown> } {
  const chunks: Buffer[] = [];
  const ended = streams.map(async (stream) => {
    if (!stream) return;
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    if (hear) createInterface({ input: stream }).on('line', hear);
    await once(stream, 'end');
  });
  return { text: () => Buffer.concat(chunks).toString('utf8'), ended: Promise.all(ended) };
}

async function exitOf(child: ChildProcess): Promise<number | string> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return code ?? signal ?? 'an unknown cause';
}

/** Ends what the file started and did not end, and says what that was. */
async function endLeftovers(mark: string, clock: Clock) {
  const until = clock.monotonic() + VANISH_MS;
  while (markedProcesses(mark).length > 0 && clock.monotonic() < until) await clock.sleep(50);
  const left = markedProcesses(mark);
  for (const { pid } of left) kill(pid);
  return left;
}

/** The group outlives its leader as long as a member lives. */
function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined) kill(-child.pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
