import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { TwinEvent } from '../../devices/twin-event.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { faultText } from '../../lib/config/config-error.ts';
import { schemaFaults } from '../../lib/config/schema-faults.ts';
import { BenchError } from '../bench-error.ts';
import type { TraceLog } from '../trace/trace-log.ts';
import type { BenchDevice, Station } from './bench-device.ts';
import type { Port, Wish } from './port.ts';

/** What the bench needs of a twin, beside the bytes that its ports carry. */
export interface StationTwin {
  readonly knobs: { readonly value: Readonly<Record<string, unknown>>; patch(patch: unknown): void };
  reset(): void;
}

/** Faults for single answers, where a twin takes them. */
export interface SingleFaults<Fault extends z.ZodObject> {
  schema: Fault;
  apply(faults: z.output<Fault>[]): void;
}

/** A twin, its ports, and the knobs that pull the plugs. */
export class TwinStation implements Station {
  readonly name: BenchDevice;
  readonly #clock: Clock;
  readonly #trace: TraceLog;
  #twin: StationTwin | undefined;
  #ports: Port[] = [];
  #unpowered = () => {};
  #wasIn = true;
  #faultKinds: readonly string[] = [];
  /** Checks faults. @returns what applies them */
  #faults: ((given: unknown) => () => void) | undefined;
  #isOpen = false;
  #isOver = false;
  /** A reset tells all knobs; those that stand at rest already are no news. */
  #beforeReset: Readonly<Record<string, unknown>> | undefined;
  /** Cancels the return of a device that has left on its own. */
  #comeBack: (() => void) | undefined;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(options: { name: BenchDevice; clock: Clock; trace: TraceLog }) {
    this.name = options.name;
    this.#clock = options.clock;
    this.#trace = options.trace;
  }

  /** Puts the twin in, which was made with this station's {@link listener} and {@link knobsChanged}. */
  equip<Fault extends z.ZodObject>(parts: {
    twin: StationTwin;
    ports: readonly Port[];
    faults?: SingleFaults<Fault>;
    /** Called when the device is pulled out, if it lives on the power of its port. */
    unpowered?: () => void;
  }): void {
    const { twin, ports, faults, unpowered } = parts;
    this.#twin = twin;
    this.#ports = [...ports];
    if (unpowered) this.#unpowered = unpowered;
    if (!faults) return;
    this.#faultKinds = Object.keys(faults.schema.shape);
    this.#faults = (given) => {
      const schema = z.array(faults.schema);
      const checked = schema.safeParse(given);
      if (!checked.success) {
        const faults = schemaFaults(checked.error, schema, given).map(faultText).join('; ');
        const known = this.#faultKinds.join(', ');
        throw new BenchError('knob_invalid', `faults of ${this.name}: ${faults} (known: ${known})`);
      }
      return () => faults.apply(checked.data);
    };
  }

  /** Another way in, before the station is opened. */
  addPort(port: Port): void {
    this.#ports.push(port);
  }

  readonly listener = (event: TwinEvent): void => {
    if (this.#isOver) return;
    this.#trace.event(this.name, event);
    if (event.kind === 'reenumerate') this.#leave(event.awayMs);
  };

  readonly knobsChanged = (patch: Record<string, unknown>): void => {
    if (this.#isOver) return;
    const turned = Object.fromEntries(
      Object.entries(patch).filter(([knob, value]) => !isDeepStrictEqual(value, this.#beforeReset?.[knob])),
    );
    if (Object.keys(turned).length > 0) this.#trace.knobs(this.name, turned);
    this.#settle();
  };

  get ports(): readonly Port[] {
    return this.#ports;
  }

  get knobs(): Readonly<Record<string, unknown>> {
    return this.#equipped.knobs.value;
  }

  get faultKinds(): readonly string[] {
    return this.#faultKinds;
  }

  /** The extra knob `once` is a list of faults, as {@link faultOnce} takes them. */
  async setKnobs(patch: unknown): Promise<void> {
    const { once, knobs } = splitOnce(patch);
    const spoil = once === undefined ? () => {} : this.#checkedFaults(once);
    this.#equipped.knobs.patch(knobs);
    spoil();
    await this.#settled;
  }

  faultOnce(faults: unknown): void {
    this.#checkedFaults(faults)();
  }

  async reset(): Promise<void> {
    this.#comeBack?.();
    this.#comeBack = undefined;
    this.#beforeReset = this.knobs;
    this.#equipped.reset();
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
    this.#equipped.reset();
  }

  get #equipped(): StationTwin {
    if (!this.#twin) throw new TypeError(`the station of ${this.name} has no twin yet`);
    return this.#twin;
  }

  #checkedFaults(faults: unknown): () => void {
    if (!this.#faults)
      throw new BenchError('knob_invalid', `${this.name} takes no faults for single answers; turn its knobs`);
    const apply = this.#faults(faults);
    return () => {
      this.#trace.knobs(this.name, { once: faults });
      apply();
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

  /** Makes the ports what knobs and events say. */
  #settle(): void {
    const { unplug, unplugged, port_held } = this.#equipped.knobs.value;
    const isOut = unplug === true || unplugged === true || this.#comeBack !== undefined;
    if (this.#wasIn && isOut) this.#unpowered();
    this.#wasIn = !isOut;
    const wish: Wish = { plugged: this.#isOpen && !isOut, held: this.#isOpen && port_held === true };
    this.#settled = Promise.all(this.#ports.map((port) => port.want(wish)));
    // Seen by whoever turned the knob; a twin that turns one itself has nobody to tell.
    this.#settled.catch(() => {});
  }
}

function splitOnce(patch: unknown): { once?: unknown; knobs: unknown } {
  if (typeof patch !== 'object' || patch === null || !('once' in patch)) return { knobs: patch };
  const { once, ...knobs } = patch;
  return { once, knobs };
}
