import type { Clock } from '../../lib/clock/clock.ts';
import { type Config, isValveBoard, type PluginId, VALVE_BOARD_IDS } from '../../rig/configuration/types.ts';
import { VALVES_PER_BOARD, valveIdsOf } from '../../rig/hardware/names.ts';
import type { LungStatus, PumpReading, Rig } from '../../rig/hardware/ports.ts';
import type { Deviation, KnownStates } from '../../rig/interlocks/known-states.ts';
import { stateWord } from '../../rig/interlocks/state-word.ts';
import type { SafeStateDevice } from '../../rig/safe-state/safe-state-keeper.ts';

export const PUMP_ID = 'pump-main';
export const LUNG_ID = 'lung-main';

/** The device of an actuator. @param id `valve-1`, `pump-main` or `lung-main` */
export function deviceOf(id: string): SafeStateDevice {
  if (id === PUMP_ID) return 'pump';
  return id === LUNG_ID ? 'lung' : 'valves';
}

const BOARD_LOST_MS = 950;

/** A current in the coils of the lung without motion is an output that is on when it lasts so long, milliseconds. */
const CURRENT_MS = 500;

/** One device of the rig that has outputs: a valve board, the pump, the lung. */
export interface OutputDevice {
  plugin: PluginId;
  device: SafeStateDevice;
  /** Ids of its actuators. */
  ids: readonly string[];
  /**
   * Milliseconds without a good reading after which what is on counts as lost: nobody knows any more what it does. A valve
   * board is given 0.95 s, so that its loss is acted on within 1 s (devices specification, DEV-056). Pump and lung have a
   * hold that ends instead, or a command time-out of their own.
   */
  lostAfterMs: number;
  /**
   * Reads it back and judges what it shows.
   * @param withinMs something of it is on: a lost reply is made up for within so many milliseconds, where that is possible
   * @returns the actuators that are on
   * @throws RigError
   */
  look(signal?: AbortSignal, withinMs?: number): Promise<string[]>;
}

export interface ReadBackOptions {
  rig: Rig;
  config: Config;
  clock: Clock;
  states: KnownStates;
  /** Told of what is not as it was commanded. @param why for people */
  onDeviation: (kind: Deviation, device: SafeStateDevice, why: string) => void;
}

/** Reads the actuators back, and compares what they show with what was commanded. */
export class ReadBack {
  /** Those that this rig has: plugins of `svc.yaml` that are not left out (`enabled: false`). */
  readonly devices: readonly OutputDevice[];
  readonly #options: ReadBackOptions;
  readonly #valveIds: readonly string[];
  /** Monotonic milliseconds; undefined while the lung has no current without motion. */
  #currentSince: number | undefined;

  constructor(options: ReadBackOptions) {
    const { rig, config } = options;
    this.#options = options;
    this.#valveIds = valveIdsOf(config.plugins);
    this.devices = rig.components
      .filter((one) => one.known().status !== 'disabled')
      .flatMap(({ id }) => this.#deviceOf(id) ?? []);
  }

  /** State of all valves, open = true, read from the device. @throws RigError */
  async readValves(signal?: AbortSignal): Promise<(boolean | undefined)[]> {
    const judge = this.#judgeValves(0, this.#valveIds.length);
    const states = await this.#options.rig.valves.read(signal);
    judge(states);
    return states;
  }

  /** The pump, read from the device. @throws RigError */
  async readPump(signal?: AbortSignal): Promise<PumpReading> {
    const { rig, states } = this.#options;
    const judge = states.reading(PUMP_ID);
    const reading = await rig.pump.read(signal);
    const kind = judge(isRunning(reading));
    if (kind === 'lost') this.#tell(kind, PUMP_ID, 'read-back shows it stopped, but no stop was commanded');
    else if (kind)
      this.#tell(kind, PUMP_ID, `reads duty ${reading.duty}, enabled, but was not commanded to run`);
    return reading;
  }

  /** The lung, read from the device. @throws RigError */
  async readLung(signal?: AbortSignal): Promise<LungStatus> {
    const { rig, states } = this.#options;
    const judge = states.reading(LUNG_ID);
    const status = await rig.lung.read(signal);
    // Until this reading, which may end that.
    const wasCommanded = states.mayBeOn(LUNG_ID);
    const kind = judge(status.moving);
    if (kind === 'lost' && !hadEnded(status)) this.#tell(kind, LUNG_ID, earlyEnd(status));
    else if (kind === 'unexpected') this.#tell(kind, LUNG_ID, 'reads moving, but was not commanded to move');
    else if (this.#hasUncommandedCurrent(status, wasCommanded))
      this.#tell('unexpected', LUNG_ID, 'is energized without motion, but was not commanded to move');
    return status;
  }

  #judgeValves(first: number, count: number): (states: readonly (boolean | undefined)[]) => void {
    const ids = this.#valveIds.slice(first, first + count);
    const judges = ids.map((id) => this.#options.states.reading(id));
    return (states) => {
      const found: Record<Deviation, string[]> = { lost: [], unexpected: [] };
      for (const [index, judge] of judges.entries()) {
        const open = states[index];
        const kind = open === undefined ? undefined : judge(open);
        const id = ids[index] ?? '';
        const deed = open ? 'open' : 'close';
        if (kind) found[kind].push(`${id} reads ${stateWord(id, open)}, but was not commanded to ${deed}`);
      }
      for (const kind of ['unexpected', 'lost'] as const)
        if (found[kind].length > 0) this.#options.onDeviation(kind, 'valves', found[kind].join('; '));
    };
  }

  /** A motion that ends leaves current for a moment: only one that stays is told. */
  #hasUncommandedCurrent({ energized, moving }: LungStatus, wasCommanded: boolean): boolean {
    const { clock } = this.#options;
    if (!energized || moving || wasCommanded) {
      this.#currentSince = undefined;
      return false;
    }
    this.#currentSince ??= clock.monotonic();
    return clock.monotonic() - this.#currentSince >= CURRENT_MS;
  }

  #deviceOf(plugin: PluginId): OutputDevice | undefined {
    if (plugin === 'pump-motor') {
      const look = async (signal?: AbortSignal) => (isRunning(await this.readPump(signal)) ? [PUMP_ID] : []);
      return { plugin, device: 'pump', ids: [PUMP_ID], lostAfterMs: Number.POSITIVE_INFINITY, look };
    }
    if (plugin === 'lung-motor') {
      const look = async (signal?: AbortSignal) => {
        const { moving, energized } = await this.readLung(signal);
        return moving || energized ? [LUNG_ID] : [];
      };
      return { plugin, device: 'lung', ids: [LUNG_ID], lostAfterMs: Number.POSITIVE_INFINITY, look };
    }
    if (!isValveBoard(plugin)) return undefined;
    const board = VALVE_BOARD_IDS.indexOf(plugin);
    const first = board * VALVES_PER_BOARD;
    const ids = this.#valveIds.slice(first, first + VALVES_PER_BOARD);
    const look = async (signal?: AbortSignal, withinMs?: number) => {
      const judge = this.#judgeValves(first, VALVES_PER_BOARD);
      const states = await this.#options.rig.valves.readBoard(board, { signal, withinMs });
      judge(states);
      return ids.filter((_, index) => states[index] === true);
    };
    return { plugin, device: 'valves', ids, lostAfterMs: BOARD_LOST_MS, look };
  }

  #tell(kind: Deviation, id: string, what: string): void {
    this.#options.onDeviation(kind, deviceOf(id), `${id}: ${what}`);
  }
}

const isRunning = ({ enabled, duty }: PumpReading): boolean => enabled && duty > 0;

function earlyEnd({ cyclesDone, cyclesTotal, lastMotionError }: LungStatus): string {
  if (cyclesTotal === 0)
    return 'it stands still and knows of no motion: it was started anew, and no stop was commanded';
  const why = lastMotionError ?? 'it does not say why';
  return `it stands still after ${cyclesDone} of ${cyclesTotal} cycles, but no stop was commanded: ${why}`;
}

/** A lung that had made all its cycles when it was halted was not stopped by it. */
export const hadEnded = ({ cyclesDone, cyclesTotal }: LungStatus): boolean =>
  cyclesTotal > 0 && cyclesDone >= cyclesTotal;
