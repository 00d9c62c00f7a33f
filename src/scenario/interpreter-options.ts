import type { Clock } from '../lib/clock/clock.ts';
import type { Registry } from '../rig/registry/registry.ts';
import type { Mode } from './events/event.ts';
import type { Fetch } from './rig/http/bridge-client.ts';
import type { RunOptions } from './run/options.ts';
import type { IncludeLoader } from './syntax/include-loader.ts';

/** A reading given by `--sensor`: `0.65`, `'-12 mbar'`. Without unit it is in the unit that is asked for. */
export type GivenSensor = number | string | { readonly value: number; readonly unit?: string };

export interface InterpreterOptions extends RunOptions {
  /** Default `dry-run`. */
  readonly mode?: Mode;
  /** Base of the firmware bridge; default http://127.0.0.1:8202. */
  readonly firmwareUrl?: string;
  /** Base of the API server; without it, paths that belong there are SCN260. */
  readonly serverUrl?: string;
  /** Base of the lung service, for bridges without lung routes. */
  readonly lungUrl?: string;
  /** Readings of a dry-run. Refused in execute mode. */
  readonly sensors?: Readonly<Record<string, GivenSensor>>;
  readonly registry?: Registry;
  /** Where INCLUDE looks, with the directory of the file. Not used when `loader` is given. */
  readonly libraryRoot?: string;
  readonly loader?: IncludeLoader;
  readonly clock?: Clock;
  /** Aborts the run: teardown and safe state follow. */
  readonly signal?: AbortSignal;
  /** A second abort: the teardown is skipped, never the safe state. */
  readonly hardSignal?: AbortSignal;
  /** Used in place of connections of its own. */
  readonly fetch?: Fetch;
  readonly strict?: boolean;
  /** Repeats pump and valve states as peripheral states on the bridge. */
  readonly mirror?: boolean;
  /** Execute mode: neither a bench nor a simulation will do. */
  readonly requireReal?: boolean;
  /** Execute mode: only a simulation will do. */
  readonly requireMock?: boolean;
  /** Execute mode: a bench will do without a guard; anything else is refused then. */
  readonly withoutGuard?: boolean;
  /** Bearer token of the services. */
  readonly token?: string;
  /** Name under which the lease is taken; default `svc-run-<pid>@<host>`. */
  readonly owner?: string;
}
