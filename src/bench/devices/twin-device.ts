import { isDeepStrictEqual } from 'node:util';
import type { TwinEvent } from '../../devices/twin-event.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { BenchError } from '../bench-error.ts';
import type { TraceLog } from '../trace/trace-log.ts';
import type { BenchDevice } from './bench-device.ts';
import type { BuiltDevice } from './define-bench-device.ts';
import type { Port, PortState } from './port.ts';

/** What a twin is built with, so that its device learns what happens at it. */
export interface TwinHooks {
  listener: (event: TwinEvent) => void;
  knobsChanged: (patch: Record<string, unknown>) => void;
}

/** A twin, its ports, and the knobs that unplug them. */
export class TwinDevice implements BenchDevice {
  readonly name: string;
  readonly built: BuiltDevice;
  readonly #clock: Clock;
  readonly #trace: TraceLog;
  readonly #ports: Map<string, Port>;
  #wasPlugged = true;
  #isOpen = false;
  #isOver = false;
  /** A reset reports all knobs; those that are at rest already are no news. */
  #beforeReset: Readonly<Record<string, unknown>> | undefined;
  /** Cancels the return of a device that has left on its own. */
  #comeBack: (() => void) | undefined;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(options: {
    name: string;
    clock: Clock;
    trace: TraceLog;
    build: (hooks: TwinHooks) => BuiltDevice;
  }) {
    this.name = options.name;
    this.#clock = options.clock;
    this.#trace = options.trace;
    this.built = options.build({
      listener: (event) => this.#onEvent(event),
      knobsChanged: (patch) => this.#onKnobs(patch),
    });
    this.#ports = new Map(Object.entries(this.built.ports));
  }

  get ports(): ReadonlyMap<string, Port> {
    return this.#ports;
  }

  /** Another way to the device, before it is opened. */
  addPort(name: string, port: Port): void {
    this.#ports.set(name, port);
  }

  get knobs(): Readonly<Record<string, unknown>> {
    return this.built.twin.knobs.value;
  }

  get faultKinds(): readonly string[] {
    return this.built.faults?.kinds ?? [];
  }

  /** The extra knob `once` is a list of faults, as {@link faultOnce} takes them. */
  async setKnobs(patch: unknown): Promise<void> {
    const { once, knobs } = splitOnce(patch);
    const inject = once === undefined ? () => {} : this.#checkedFaults(once);
    this.built.twin.knobs.patch(knobs);
    inject();
    await this.#settled;
  }

  faultOnce(faults: unknown): void {
    this.#checkedFaults(faults)();
  }
  async reset(): Promise<void> {
    this.#comeBack?.();
    this.#comeBack = undefined;
    this.#beforeReset = this.knobs;
    this.built.twin.reset();
    this.#beforeReset = undefined;
    this.#settle();
    await this.#settled;
  }

  async open(): Promise<void> {
    this.#isOpen = true;
    this.#settle();
    await this.#settled;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#comeBack?.();
    this.#settle();
    await this.#settled;
    // The twin's timers end with it; the trace shall not show that as something that happened.
    this.#isOver = true;
    this.built.twin.reset();
  }

  #onEvent(event: TwinEvent): void {
    if (this.#isOver) return;
    this.#trace.event(this.name, event);
    if (event.kind === 'reenumerate') this.#leave(event.awayMs);
  }

  #onKnobs(patch: Record<string, unknown>): void {
    if (this.#isOver) return;
    const turned = Object.fromEntries(
      Object.entries(patch).filter(([knob, value]) => !isDeepStrictEqual(value, this.#beforeReset?.[knob])),
    );
    if (Object.keys(turned).length > 0) this.#trace.knobs(this.name, turned);
    this.#settle();
  }

  #checkedFaults(given: unknown): () => void {
    const { faults } = this.built;
    if (!faults)
      throw new BenchError('knob_invalid', `${this.name} takes no faults for single answers; turn its knobs`);
    const inject = faults.check(this.name, given);
    return () => {
      this.#trace.knobs(this.name, { once: given });
      inject();
    };
  }

  #leave(awayMs: number): void {
    this.#comeBack?.();
    const cancel = this.#clock.after(awayMs, () => {
      this.#comeBack = undefined;
      this.#settle();
    });
    this.#comeBack = cancel;
    this.#settle();
  }

  /** Makes the ports what knobs and events ask for. */
  #settle(): void {
    const { unplug, unplugged, port_held } = this.knobs;
    const isPlugged = unplug !== true && unplugged !== true && this.#comeBack === undefined;
    if (this.#wasPlugged && !isPlugged) this.built.unpowered?.();
    this.#wasPlugged = isPlugged;
    const state: PortState = {
      plugged: this.#isOpen && isPlugged,
      held: this.#isOpen && port_held === true,
    };
    this.#settled = Promise.all([...this.#ports.values()].map((port) => port.become(state)));
    // Reported to the caller that set the knob; a knob that the twin set itself has no caller.
    this.#settled.catch(() => {});
  }
}

function splitOnce(patch: unknown): { once?: unknown; knobs: unknown } {
  if (typeof patch !== 'object' || patch === null || !('once' in patch)) return { knobs: patch };
  const { once, ...knobs } = patch;
  return { once, knobs };
}
