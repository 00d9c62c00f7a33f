import type { RunEvent } from '../../scenario/events/event.ts';
import type { InterpreterOptions } from '../../scenario/interpreter-options.ts';
import { hasErrors } from '../../scenario/load.ts';
import type { Result } from '../../scenario/run/result.ts';
import type { CheckedScenario } from '../../scenario/safety/load-checked.ts';
import { countFindings } from '../diagnostics/render.ts';
import type { Io } from '../io/io.ts';
import { firmwareUrl, lungUrl, serverUrl } from '../options/url.ts';
import { runLoaded } from './checked-run.ts';
import { ConsoleReporter } from './console-reporter.ts';
import type { Interruption } from './interruption.ts';
import type { RunRequest } from './perform-run.ts';
import { type RunOptions, timeoutsOf } from './run-settings.ts';
import { wasRefused } from './verdict.ts';

/** One run under way: what may stop it, and where its events go. */
interface RunSurroundings {
  readonly stop: Interruption;
  readonly voice: ConsoleReporter;
  readonly onEvent: (event: RunEvent) => void;
  /** One of several: even its last line is not printed. */
  readonly silent?: boolean;
}

export interface FinishedRun {
  readonly result: Result;
  /** The bridge never answered: what to do, in one sentence. */
  readonly dead: string | undefined;
}

/** The voice of a run, from its request. */
export function voiceOf({ sources, options, hushed }: RunRequest, io: Io): ConsoleReporter {
  const { mode, json = false, quiet = false } = options;
  const texts = sources.texts;
  return new ConsoleReporter(io, {
    json,
    quiet,
    live: mode === 'execute',
    texts,
    ...(hushed ? { hushed } : {}),
  });
}

/** Runs a scenario and reports on it while it runs. Never rejects for what happens in the run. */
export async function runScenario(
  request: RunRequest,
  loaded: CheckedScenario,
  { stop, voice, onEvent, silent = false }: RunSurroundings,
  io: Io,
): Promise<FinishedRun> {
  const { source, rig, options, relocate = (value) => value } = request;
  const { mode } = options;
  const bridge = firmwareUrl(options.firmwareUrl, io.env);
  const settings: InterpreterOptions = {
    firmwareUrl: bridge,
    ...connections(options, io),
    ...judging(options),
    mode,
    quiet: options.quiet === true,
    registry: rig.registry,
    requireReal: rig.requireReal,
    clock: io.clock,
    signal: stop.signal,
    hardSignal: stop.hardSignal,
    ...(silent ? {} : { out: voice.result }),
    onEvent: (event: RunEvent) => {
      const relocated = relocate(event);
      voice.event(relocated);
      onEvent(relocated);
    },
    ...(io.stdin.isTTY && mode === 'execute' ? { onPrompt: voice.ask } : {}),
  };
  // What is refused asks nothing of the bridge.
  if (mode === 'execute' && !hasErrors(loaded.diagnostics)) {
    const { configDifference } = await import('./config-difference.ts');
    const difference = await configDifference(bridge, io);
    if (difference !== undefined) voice.say(`warning: ${difference}`);
  }
  let result: Result;
  try {
    result = relocate(await runLoaded(loaded, request, settings));
  } finally {
    voice.stop();
  }
  const dead = deadBridge(result, bridge);
  if (dead) voice.say(dead);
  for (const diagnostic of result.diagnostics)
    if (!dead || diagnostic.code !== 'SCN409') voice.diagnostic(diagnostic);
  if (mode !== 'validate' && wasRefused(result))
    voice.say(`${source.name} was not run: ${countFindings(result.diagnostics)}`);
  return { result, dead };
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
    withoutGuard: options.withoutGuard === true,
    mirror: options.mirror === true,
    timeouts: timeoutsOf(options),
    ...(maxAge === undefined ? {} : { maxAgeMs: maxAge }),
    ...(sensor ? { sensors: sensor } : {}),
    ...(variables ? { variables } : {}),
  };
}

/**
 * What to do when the bridge never answered: one sentence with its address and what to start. Undefined when it did
 * answer, or was never asked.
 */
function deadBridge({ events }: Result, firmwareUrl: string): string | undefined {
  const calls = events.flatMap((event) =>
    event.type === 'http' && event.url.startsWith(firmwareUrl) ? [event] : [],
  );
  const answered = calls.some(({ status }) => status !== null);
  if (calls.length === 0 || answered) return undefined;
  // The address is in the sentence already.
  const reason = calls[0]?.error?.replace(/^.* failed: /, '');
  return `the bridge at ${firmwareUrl} does not answer${reason ? ` (${reason})` : ''}: start svc-bridge there, or name another one with --firmware-url`;
}
