import type { Clock } from '../../lib/clock/clock.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import type { TwinListener } from '../twin-event.ts';
import { COILS } from './protocol.ts';

const FOLLOWS_INPUT = 1;
const TOGGLED_BY_INPUT = 2;
const EDGE = 3;

/**
 * The eight outputs of the twin and what moves them: commands, flashes, and inputs in the modes 1 to 3. How a command
 * and a mode other than normal go together is not in the maker's words; here the last event wins, and an output that
 * follows its input stays with it whatever it is commanded.
 */
export class Outputs {
  readonly #clock: Clock;
  readonly #tell: TwinListener;
  readonly #isStuck: (coil: number) => boolean;
  readonly #modeOf: (coil: number) => number;
  readonly #states = new Array<boolean>(COILS).fill(false);
  readonly #flashes = new Map<number, () => void>();
  #inputs: readonly boolean[] = new Array<boolean>(COILS).fill(false);

  constructor(options: {
    clock: Clock;
    listener: TwinListener;
    isStuck: (coil: number) => boolean;
    modeOf: (coil: number) => number;
  }) {
    this.#clock = options.clock;
    this.#tell = options.listener;
    this.#isStuck = options.isStuck;
    this.#modeOf = options.modeOf;
  }

  /** As they are in truth. */
  get states(): boolean[] {
    return [...this.#states];
  }

  /** A plain command ends a flash that still runs. */
  command(coil: number, on: boolean): void {
    this.#endFlash(coil);
    if (this.#modeOf(coil) === FOLLOWS_INPUT) this.move(coil, this.#inputs[coil] === true);
    else this.move(coil, on);
  }

  toggle(coil: number): void {
    this.command(coil, !this.#states[coil]);
  }

  /** On (or off) for `ms`, then back by itself. */
  flash(coil: number, on: boolean, ms: Milliseconds): void {
    this.command(coil, on);
    this.#flashes.set(
      coil,
      this.#clock.after(ms, () => {
        this.#flashes.delete(coil);
        this.move(coil, !on);
      }),
    );
  }

  /** Moves it whatever its mode is, unless it is stuck. */
  move(coil: number, on: boolean): void {
    if (this.#states[coil] === on || this.#isStuck(coil)) return;
    this.#states[coil] = on;
    this.#tell({ kind: 'coil', coil, on });
  }

  /** Takes the inputs as they are now, and does what the modes make of it. Also to be called when a mode changed. */
  follow(inputs: readonly boolean[]): void {
    const before = this.#inputs;
    this.#inputs = [...inputs];
    for (let coil = 0; coil < COILS; coil++) {
      const level = inputs[coil] === true;
      const changed = level !== (before[coil] === true);
      const mode = this.#modeOf(coil);
      if (mode === FOLLOWS_INPUT) {
        this.#endFlash(coil);
        this.move(coil, level);
      } else if (changed && (mode === EDGE || (mode === TOGGLED_BY_INPUT && level))) this.toggle(coil);
    }
  }

  /** All off and no flash pending: the board after its power came back. */
  reset(): void {
    this.#inputs = new Array<boolean>(COILS).fill(false);
    for (let coil = 0; coil < COILS; coil++) {
      this.#endFlash(coil);
      this.move(coil, false);
    }
  }

  #endFlash(coil: number): void {
    this.#flashes.get(coil)?.();
    this.#flashes.delete(coil);
  }
}
