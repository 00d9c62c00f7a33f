import type { Clock } from '../../lib/clock/clock.ts';
import type { Registry, Sensor } from '../../rig/registry/registry.ts';
import { convert } from '../../rig/units/units.ts';
import { calibrationFaults } from '../rig/calibration-faults.ts';
import { RunFault } from '../rig/fault.ts';
import { beyondMeasurable, type LimitedQuantity, type PlainLimit } from '../rig/measurable.ts';
import type { RigObserver } from '../rig/observer.ts';
import type {
  ApiAnswer,
  Elapsed,
  Identity,
  RawReading,
  ReadRequest,
  Rig,
  RigMarks,
  RigUses,
} from '../rig/rig.ts';
import { unitsFault } from '../run/convert-amount.ts';
import { noCalibration, reaches } from '../run/convert-reading.ts';
import { HoldingAnswer, identityFor } from './answers.ts';
import type { Pass } from './pass.ts';

export interface DryRigOptions {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly pass: Pass;
  readonly observer: RigObserver;
}

/**
 * The rig of a rehearsal: no I/O. Readings are given by option or chosen so that the scenario goes on; everything
 * else is as the command at hand expects it.
 */
export class DryRig implements Rig {
  readonly leased = true;
  readonly marks: RigMarks = { simulated: true, bench: false };
  readonly #clock: Clock;
  readonly #registry: Registry;
  readonly #pass: Pass;
  readonly #observer: RigObserver;

  constructor({ clock, registry, pass, observer }: DryRigOptions) {
    this.#clock = clock;
    this.#registry = registry;
    this.#pass = pass;
    this.#observer = observer;
  }

  /** Warns of what the preflight of a real rig would refuse. */
  async preflight({ calibrated }: RigUses): Promise<void> {
    const faults = calibrationFaults(calibrated, this.#registry, this.#clock.now());
    if (faults.length > 0)
      this.#observer.finding('SCN227', `${faults.join('; ')}. On the rig this is not run`);
  }

  calibrationFault(): null {
    return null;
  }

  unreachable(sensor: Sensor, limit: PlainLimit, quantity: LimitedQuantity): undefined {
    const why = beyondMeasurable(sensor.id, sensor, limit, quantity);
    // A limit that follows from a chosen reading may have any value.
    if (why !== undefined && !(limit.simulated && this.#pass.hasChosen))
      this.#observer.finding('SCN250', why);
  }

  async read(request: ReadRequest): Promise<RawReading> {
    const { name, unit = request.ownUnit ?? undefined } = request;
    const given = this.#pass.memory.given.of(name);
    const common = { at: new Date(this.#clock.now()).toISOString(), ageMs: 0, simulated: true, bench: false };
    if (given) return { ...common, value: given.value, unit: given.unit ?? unit ?? null, source: 'option' };
    const node = this.#pass.reading(request);
    const recompute = (asked: string): number => {
      this.#requireScale(name, unit, asked);
      return node.amount(asked).value;
    };
    this.#pass.link(recompute, node);
    const { value } = node.amount(unit);
    return { ...common, value, unit: unit ?? null, source: 'simulation', recompute };
  }

  /** @throws RunFault SCN227, SCN240 for a scale that the sensor does not have; a missing calibration is a warning */
  #requireScale(name: string, unit: string | undefined, asked: string): void {
    const sensor = this.#registry.sensor(name);
    if (!sensor) throw unitsFault(name, unit ?? 'no unit', asked);
    if (reaches(sensor, asked)) return;
    const place = name === sensor.id ? name : `${name} (${sensor.id})`;
    const { calibration } = sensor;
    if (calibration)
      throw new RunFault(
        'SCN227',
        `${place} gives ${sensor.unit}, and its calibration ${calibration.id} goes to ${calibration.unit}, not to ${asked}`,
      );
    this.#observer.finding('SCN227', noCalibration(place, sensor, unit ?? null, asked));
  }

  elapsed(sinceMs: number, unit: string): Elapsed {
    const given = this.#pass.memory.given.of('timer');
    if (given) return { value: given.value, unit: given.unit ?? unit, source: 'option', simulated: true };
    const node = this.#pass.reading({ name: 'timer', id: 'timer', unit, ownUnit: 's' });
    const recompute = (asked: string): never => {
      throw unitsFault('timer', unit, asked);
    };
    this.#pass.link(recompute, node);
    const { value } = node.amount(unit);
    const isReal = value === convert(this.#clock.monotonic() - sinceMs, 'ms', unit);
    return { value, unit, source: isReal ? 'timer' : 'simulation', simulated: true, recompute };
  }

  async acquire(): Promise<void> {}

  async apply(): Promise<void> {}

  async valveState(): Promise<boolean> {
    const { instruction } = this.#pass;
    return instruction?.op === 'assert-valve' && instruction.expected;
  }

  async identify(): Promise<Identity> {
    return identityFor(this.#pass.instruction, this.#fill);
  }

  async call(): Promise<ApiAnswer> {
    return new HoldingAnswer(() => this.#pass.instruction, this.#fill);
  }

  readonly #fill = (text: string): string => this.#pass.fill(text);

  async confirmLease(): Promise<boolean> {
    return true;
  }

  async safeState(): Promise<undefined> {}

  async release(): Promise<void> {}
}
