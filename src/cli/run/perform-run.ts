import { resolve } from 'node:path';
import type { Code } from '../../scenario/diagnostics/catalogue.ts';
import type { RunEvent } from '../../scenario/events/event.ts';
import type { CheckedScenario } from '../../scenario/safety/load-checked.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { testedUnit } from '../options/tested-unit.ts';
import { firmwareUrl } from '../options/url.ts';
import type { RigSettings } from '../rig/rig-settings.ts';
import type { Sources } from '../source/recording-loader.ts';
import type { ScenarioSource } from '../source/scenario-source.ts';
import { loadForRun } from './checked-run.ts';
import { interruption } from './interruption.ts';
import { RunOutputs } from './run-outputs.ts';
import { type FinishedRun, runScenario, voiceOf } from './run-scenario.ts';
import type { RunOptions } from './run-settings.ts';
import { failureOf, runExitCode } from './verdict.ts';

export interface RunRequest {
  readonly source: ScenarioSource;
  readonly sources: Sources;
  readonly rig: RigSettings;
  readonly options: RunOptions;
  /** Turns positions in a text made up around the operator's line into positions in that line. */
  readonly relocate?: <T>(value: T) => T;
  /** Findings that are not shown. */
  readonly hushed?: readonly Code[];
  /** Findings of the safety check that only warn. */
  readonly warnsOf?: readonly Code[];
}

/**
 * Runs a scenario, reports on it while it runs, and leaves its files behind.
 * @param loaded when it was read and checked already
 * @returns the exit code
 */
export async function performRun(
  request: RunRequest,
  io: Io,
  loaded: CheckedScenario = loadForRun(request),
): Promise<number> {
  const { source, options } = request;
  const { mode, json = false } = options;
  // A bad address is wrong usage: before any file is made.
  firmwareUrl(options.firmwareUrl, io.env);
  const outputs = new RunOutputs(options, io.cwd);
  const records = options.record === undefined ? undefined : await openRecords(options.record, io);
  const faults: { readonly message: string }[] = [];
  let finished: FinishedRun;
  let runId: string | null = null;
  try {
    const writer = records?.begin(request);
    runId = writer?.identity.run_id ?? null;
    const voice = voiceOf(request, io);
    const stop = interruption(() => voice);
    const onEvent = (event: RunEvent) => {
      writer?.append(event);
      outputs.append(event);
    };
    finished = await runScenario(request, loaded, { stop, voice, onEvent }, io).finally(stop.release);
    if (writer && records) faults.push(...records.end(writer, finished.result, mode));
  } finally {
    await records?.close();
  }
  const { result, dead } = finished;
  const tested = testedUnit(options);
  faults.push(...(await outputs.finish(result, source.bytes, tested)));
  for (const { message } of faults) io.stderr.write(`svcctl: ${message}\n`);
  if (json) {
    const failure = dead ? { error: dead, code: 'bridge_unreachable' } : failureOf(result);
    const record = records ? { runId } : {};
    io.stdout.write(`${JSON.stringify({ ...result, tested, ...record, ...failure })}\n`);
  }
  const exitCode = runExitCode(result, mode);
  // A verdict whose record is missing is none; what was found worse stays as it is.
  return faults.length > 0 && exitCode < EXIT.error ? EXIT.error : exitCode;
}

async function openRecords(folder: string, io: Io) {
  const { RunRecords } = await import('./run-records.ts');
  return RunRecords.open(resolve(io.cwd, folder), io);
}
