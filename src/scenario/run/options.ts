import type { Clock } from '../../lib/clock/clock.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import type { Mode, RunEvent } from '../events/event.ts';
import type { Fetch } from '../rig/http/bridge-client.ts';
import type { IncludeLoader } from '../syntax/include-loader.ts';
import type { PromptQuestion } from './prompt-answer.ts';
import type { Timeouts } from './timeouts.ts';
import type { GivenVariable } from './variables.ts';

/** A reading given by `--sensor`: `0.65`, `'-12 mbar'`. Without unit it is in the unit that is asked for. */
export type GivenSensor = number | string | { readonly value: number; readonly unit?: string };

/**
 * Asks a person and gives what they said; null when nobody can answer any more. What is no answer is asked again, with
 * the reason. The signal aborts when the question is closed: its answer counts no more then.
 */
export type Prompt = (
  question: PromptQuestion,
  asking: { readonly signal: AbortSignal; readonly again: string | undefined },
) => Promise<string | boolean | null>;

/** Language specification, section 10. */
export interface InterpreterOptions {
  /** Default `dry-run`. */
  readonly mode?: Mode;
  /** Base of the firmware bridge; default http://127.0.0.1:8202. */
  readonly firmwareUrl?: string;
  /** Base of the API server; without it, paths that belong there are SCN260. */
  readonly serverUrl?: string;
  /** Base of the lung service, for bridges without lung routes. */
  readonly lungUrl?: string;
  /** Text output: the last line only. */
  readonly quiet?: boolean;
  /** Readings of a dry-run. Refused in execute mode. */
  readonly sensors?: Readonly<Record<string, GivenSensor>>;
  readonly variables?: Readonly<Record<string, GivenVariable>>;
  readonly registry?: Registry;
  /** Where INCLUDE looks, with the directory of the file. Not used when `loader` is given. */
  readonly libraryRoot?: string;
  readonly loader?: IncludeLoader;
  /** Aborts the run: teardown and safe state follow. */
  readonly signal?: AbortSignal;
  /** A second abort: the teardown is skipped, never the safe state. */
  readonly hardSignal?: AbortSignal;
  readonly clock?: Clock;
  readonly fetch?: Fetch;
  /** Oldest reading that counts as fresh, milliseconds; default 1000. */
  readonly maxAgeMs?: number;
  readonly timeouts?: Partial<Timeouts>;
  readonly stopOnFail?: boolean;
  readonly strict?: boolean;
  /** Repeats pump and valve states as peripheral states on the bridge. */
  readonly mirror?: boolean;
  /** Execute mode: a bridge in mock mode will do; the run is marked. */
  readonly simulated?: boolean;
  /** Execute mode: neither a bench nor a simulation will do. */
  readonly requireReal?: boolean;
  /** Execute mode: a bench will do without a guard; anything else is refused then. */
  readonly withoutGuard?: boolean;
  /** Bearer token of the services. */
  readonly token?: string;
  /** Name under which the lease is taken; default `svc-run-<pid>@<host>`. */
  readonly owner?: string;
  /** Called synchronously with every event, in order. An error it throws ends the run. */
  readonly onEvent?: (event: RunEvent) => void;
  readonly onPrompt?: Prompt;
  /** Takes the lines of the text output; default none. */
  readonly out?: (line: string) => void;
}
