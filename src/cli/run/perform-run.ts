import type { Code } from '../../scenario/diagnostics/catalogue.ts';
import type { RunEvent } from '../../scenario/events/event.ts';
import type { Result } from '../../scenario/run/result.ts';
import { countFindings } from '../diagnostics/render.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { firmwareUrl, lungUrl, serverUrl } from '../options/url.ts';
import type { RigSettings } from '../rig/rig-settings.ts';
import type { Sources } from '../source/recording-loader.ts';
import type { ScenarioSource } from '../source/scenario-source.ts';
import { checkedRun } from './checked-run.ts';
import { deadBridge } from './dead-bridge.ts';
import { interruption } from './interruption.ts';
import { RunOutputs } from './run-outputs.ts';
import { type RunOptions, timeoutsOf } from './run-settings.ts';
import { RunVoice } from './run-voice.ts';
import { failureOf, runExitCode, wasRefused } from './verdict.ts';

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

/** Runs a scenario, tells about it while it runs, and leaves its files behind. @returns the exit code */
export async function performRun(request: RunRequest, io: Io): Promise<number> {
  const { source, sources, rig, options, relocate = (value) => value } = request;
  const { mode, json = false, quiet = false } = options;
  const bridge = firmwareUrl(options.firmwareUrl, io.env);
  const settings = { ...connections(options, io), firmwareUrl: bridge };
  const outputs = new RunOutputs(options, io.cwd);
  const voice = new RunVoice(io, {
    json,
    quiet,
    live: mode === 'execute',
    texts: sources.texts,
    ...(request.hushed ? { hushed: request.hushed } : {}),
  });
  const stop = interruption((text) => {
    voice.ending('stopping');
    voice.say(text);
  });
  let result: Result;
  try {
    const run = checkedRun({
      source,
      loader: sources.loader,
      rig,
      warnsOf: ({ code }) => request.warnsOf?.includes(code) === true,
      options: {
        ...settings,
        ...judging(options),
        mode,
        quiet,
        registry: rig.registry,
        requireReal: rig.requireReal,
        clock: io.clock,
        fetch: io.fetch,
        signal: stop.signal,
        hardSignal: stop.hardSignal,
        out: voice.result,
        onEvent: (event: RunEvent) => {
          const relocated = relocate(event);
          voice.event(relocated);
          outputs.append(relocated);
        },
        ...(io.stdin.isTTY && mode === 'execute' ? { onPrompt: voice.ask } : {}),
      },
    });
    result = relocate(await run);
  } finally {
    voice.stop();
    stop.release();
  }
  const dead = deadBridge(result, bridge);
  if (dead) voice.say(dead);
  for (const diagnostic of result.diagnostics)
    if (!dead || diagnostic.code !== 'SCN409') voice.diagnostic(diagnostic);
  if (mode !== 'validate' && wasRefused(result))
    voice.say(`${source.name} was not run: ${countFindings(result.diagnostics)}`);
  const faults = await outputs.finish(result, source.bytes);
  for (const { message } of faults) voice.say(message);
  if (json) {
    const failure = dead ? { error: dead, code: 'bridge_unreachable' } : failureOf(result);
    io.stdout.write(`${JSON.stringify({ ...result, ...failure })}\n`);
  }
  const exitCode = runExitCode(result, mode);
  // A verdict whose record is missing is none; what was found worse stays as it is.
  return faults.length > 0 && exitCode < EXIT.error ? EXIT.error : exitCode;
}

function connections(options: RunOptions, { env }: Io) {
  const lung = lungUrl(env);
  return {
    serverUrl: serverUrl(options.serverUrl, env),
    ...(lung === undefined ? {} : { lungUrl: lung }),
    ...(env.SVC_API_TOKEN ? { token: env.SVC_API_TOKEN } : {}),
  };
}

function judging(options: RunOptions) {
  const { maxAge, sensor, var: variables } = options;
  return {
    strict: options.strict === true,
    stopOnFail: options.stopOnFail === true,
    simulated: options.simulated === true,
    mirror: options.mirror === true,
    timeouts: timeoutsOf(options),
    ...(maxAge === undefined ? {} : { maxAgeMs: maxAge }),
    ...(sensor ? { sensors: sensor } : {}),
    ...(variables ? { variables } : {}),
  };
}
