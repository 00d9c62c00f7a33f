import type { Clock } from '../../lib/clock/clock.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import type { Config } from '../../rig/configuration/types.ts';
import type { OutputReaders } from '../../rig/device-kinds/device-kind.ts';
import { ACTUATOR_KINDS } from '../../rig/device-kinds/index.ts';
import { LUNG_ID } from '../../rig/device-kinds/lung.ts';
import { PUMP_ID } from '../../rig/device-kinds/pump.ts';
import { valveIdsOf } from '../../rig/hardware/names.ts';
import { type LungStatus, type PumpReading, type Rig, VALVES_PER_BOARD } from '../../rig/hardware/ports.ts';
import type { Deviation, KnownStates } from '../../rig/interlocks/known-states.ts';
import { stateWord } from '../../rig/interlocks/state-word.ts';
import type { SafeStateDevice } from '../../rig/safe-state/safe-state-keeper.ts';

/** The device of an actuator. @param id `valve-1`, `pump-main` or `lung-main` */
export function deviceOf(id: string): SafeStateDevice {
  if (id === PUMP_ID) return 'pump';
  return id === LUNG_ID ? 'lung' : 'valves';
}

/** A current in the coils of the lung without motion is an output that is on when it lasts so long, milliseconds. */
const CURRENT_MS = 500;

/** One device of the rig that has outputs: a valve board, the pump, the lung. */
export interface OutputDevice {
  plugin: string;
  device: SafeStateDevice;
  /** Ids of its actuators. */
  ids: readonly string[];
  /**
   * Milliseconds without a good reading after which what is on counts as lost: it is unknown what it does.
   */
  lostAfterMs: Milliseconds;
  /**
   * Reads it back and judges what it shows.
   * @param withinMs something of it is on: a lost reply is made up for within so many milliseconds, where that is possible
   * @returns the actuators that are on
   * @throws RigError
   */
  look(signal?: AbortSignal, withinMs?: Milliseconds): Promise<string[]>;
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
export class ReadBack implements OutputReaders {
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

  /** The valves of one board, read from it. @throws RigError */
  async readBoard(
    board: number,
    signal?: AbortSignal,
    withinMs?: Milliseconds,
  ): Promise<(boolean | undefined)[]> {
    const judge = this.#judgeValves(board * VALVES_PER_BOARD, VALVES_PER_BOARD);
    const states = await this.#options.rig.valves.readBoard(board, { signal, withinMs });
    judge(states);
    return states;
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

  /** A motion that ends leaves current for a moment: only one that stays is reported. */
  #hasUncommandedCurrent({ energized, moving }: LungStatus, wasCommanded: boolean): boolean {
    const { clock } = this.#options;
    if (!energized || moving || wasCommanded) {
      this.#currentSince = undefined;
      return false;
    }
    this.#currentSince ??= clock.monotonic();
    return clock.monotonic() - this.#currentSince >= CURRENT_MS;
  }

  #deviceOf(plugin: string): OutputDevice | undefined {
    const kind = ACTUATOR_KINDS.find(({ names }) => names.some((name) => name === plugin));
    if (!kind) return undefined;
    const { role: device, watch, peripherals } = kind;
    const ids = peripherals(plugin).map(({ id }) => id);
    const look: OutputDevice['look'] = (signal, withinMs) => watch.look(this, plugin, signal, withinMs);
    return { plugin, device, ids, lostAfterMs: watch.lostAfterMs, look };
  }

  #tell(kind: Deviation, id: string, what: string): void {
    this.#options.onDeviation(kind, deviceOf(id), `${id}: ${what}`);
  }
}

const isRunning = ({ enabled, duty }: PumpReading): boolean => enabled && duty > 0;

function earlyEnd({ cyclesDone, cyclesTotal, lastMotionError }: LungStatus): string {
  if (cyclesTotal === 0)
    return 'read-back shows it stopped and without a motion: it restarted, but no stop was commanded';
  const why = lastMotionError ?? 'no reason reported';
  return `read-back shows it stopped after ${cyclesDone} of ${cyclesTotal} cycles, but no stop was commanded: ${why}`;
}

/** A lung that had made all its cycles when it was halted was not stopped by it. */
export const hadEnded = ({ cyclesDone, cyclesTotal }: LungStatus): boolean =>
  cyclesTotal > 0 && cyclesDone >= cyclesTotal;
