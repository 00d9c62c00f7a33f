import { statSync } from 'node:fs';
import type { Clock } from '../../../lib/clock/clock.ts';
import { CoalescedCalls } from '../../../lib/queue/coalesced-calls.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import { type FoundScenario, findScenarios } from './find-scenarios.ts';
import { type ScenarioView, scenarioView, type ViewedScenario } from './scenario-view.ts';

/** A file that was written so recently may be written again without another time of change. */
const SETTLED_MS = 100;

interface Known {
  view: ScenarioView;
  /** Of all files that the view depends on, by path; also of those that were looked for and not found. */
  stamps: ReadonlyMap<string, string>;
}

export interface ScenarioCatalogOptions {
  folder: string;
  clock: Clock;
  /** Of each list: what a scenario is checked against. @throws ConfigError */
  rig: () => ConfiguredRig;
  /** Reads and checks one scenario. */
  view?: (found: FoundScenario, rig: ConfiguredRig, folder: string) => ViewedScenario;
}

/**
 * The scenarios of a folder with what is wrong with them. A scenario is read again when its file, a file that it includes or
 * the configuration has changed, by time of change, size and inode.
 */
export class ScenarioCatalog {
  readonly #options: ScenarioCatalogOptions;
  readonly #lists = new CoalescedCalls();
  /** By path. */
  #known = new Map<string, Known>();
  #configuration = '';

  constructor(options: ScenarioCatalogOptions) {
    this.#options = options;
  }

  /** @throws ConfigError, HttpError `device_unavailable`; the signal's reason */
  list(signal?: AbortSignal): Promise<ScenarioView[]> {
    return this.#lists.call('list', (own) => this.#list(own), signal);
  }

  async #list(signal: AbortSignal): Promise<ScenarioView[]> {
    const { folder, rig, view = scenarioView } = this.#options;
    const now = rig();
    const { effective_sha256: configuration } = now.configuration;
    if (configuration !== this.#configuration) this.#known.clear();
    this.#configuration = configuration;
    const stamps = new Stamps();
    const next = new Map<string, Known>();
    const views: ScenarioView[] = [];
    for (const found of findScenarios(folder)) {
      const known = this.#known.get(found.path);
      if (known?.view.id === found.id && stamps.areStill(known.stamps)) next.set(found.path, known);
      else {
        // A scenario takes milliseconds; between two of them others have their turn.
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        const before = stamps.of([found.path]);
        const { view: made, looked } = view(found, now, folder);
        const all = new Map([...stamps.of(looked), ...before]);
        next.set(found.path, { view: made, stamps: this.#settled(all) });
      }
      views.push(next.get(found.path)?.view as ScenarioView);
    }
    this.#known = next;
    return views;
  }

  /** What was changed just now is looked at again with the next list. */
  #settled(stamps: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const now = this.#options.clock.now();
    const isSettled = (stamp: string) => stamp === ABSENT || now - Number.parseInt(stamp, 10) >= SETTLED_MS;
    return new Map([...stamps].map(([path, stamp]) => [path, isSettled(stamp) ? stamp : 'unsettled']));
  }
}

const ABSENT = 'absent';

/** Stamps of one list: each file is looked at once. */
class Stamps {
  readonly #seen = new Map<string, string>();

  of(paths: readonly string[]): Map<string, string> {
    return new Map(paths.map((path) => [path, this.#of(path)]));
  }

  areStill(stamps: ReadonlyMap<string, string>): boolean {
    for (const [path, stamp] of stamps) if (this.#of(path) !== stamp) return false;
    return true;
  }

  #of(path: string): string {
    const seen = this.#seen.get(path);
    if (seen !== undefined) return seen;
    const made = stampOf(path);
    this.#seen.set(path, made);
    return made;
  }
}

/** Time of change in milliseconds, then all that tells one state of a file from another. */
function stampOf(path: string): string {
  try {
    const { mtimeNs, mtimeMs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeMs} ${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    return ABSENT;
  }
}
