import type * as z from 'zod';
import { faultText } from '../lib/config/config-error.ts';
import { schemaFaults } from '../lib/config/schema-faults.ts';
import { DeviceError } from './device-error.ts';

/** The adjustable part of a twin: every knob has a name, a range and a value at rest. */
export class Knobs<Shape extends z.ZodRawShape> {
  readonly #schema: z.ZodObject<Shape>;
  readonly #atRest: z.output<z.ZodObject<Shape>>;
  readonly #device: string;
  readonly #changed: (patch: Record<string, unknown>) => void;
  #value: z.output<z.ZodObject<Shape>>;

  constructor(options: {
    device: string;
    schema: z.ZodObject<Shape>;
    atRest: z.output<z.ZodObject<Shape>>;
    changed?: (patch: Record<string, unknown>) => void;
  }) {
    this.#device = options.device;
    this.#schema = options.schema;
    this.#atRest = options.atRest;
    this.#value = options.atRest;
    this.#changed = options.changed ?? (() => {});
  }

  get value(): z.output<z.ZodObject<Shape>> {
    return this.#value;
  }

  /** @throws DeviceError `knob_invalid`, naming each knob that is unknown or out of range; nothing is changed then */
  patch(patch: unknown): void {
    const unknown = unknownKeys(patch, this.#schema.shape);
    if (unknown) {
      const known = Object.keys(this.#schema.shape).join(', ');
      throw this.#invalid(`${unknown} (known knobs: ${known})`);
    }
    const wanted = { ...this.#value, ...(patch as object) };
    const parsed = this.#schema.safeParse(wanted);
    if (!parsed.success) {
      const faults = schemaFaults(parsed.error, this.#schema, wanted);
      throw this.#invalid(`${faults.map(faultText).join('; ')}; nothing was changed`);
    }
    this.#value = parsed.data;
    this.#changed(patch as Record<string, unknown>);
  }

  reset(): void {
    this.#value = this.#atRest;
    this.#changed({ ...this.#atRest });
  }

  #invalid(fault: string): DeviceError {
    return new DeviceError('knob_invalid', `knobs of ${this.#device}: ${fault}`, { device: this.#device });
  }
}

function unknownKeys(patch: unknown, shape: z.ZodRawShape): string | undefined {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    return 'an object of knobs is wanted';
  const unknown = Object.keys(patch).filter((key) => !(key in shape));
  return unknown.length > 0 ? `unknown: ${unknown.join(', ')}` : undefined;
}
