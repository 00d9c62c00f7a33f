import type { BenchDeviceName, BenchOutputs } from '../../src/bench/bench.ts';
import type { TracePage } from '../../src/bench/trace/trace-log.ts';
import type { TwinKnobs } from '../scenarios/cases.ts';

/** Control port of a running svc-bench, which is the witness of what a rig does. */
export class Twins {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async set(knobs: TwinKnobs): Promise<void> {
    for (const [device, patch] of Object.entries(knobs)) await this.#ask('PATCH', `${device}/knobs`, patch);
  }

  /** Injects faults into the next replies of a device, one into each. */
  async spoil(device: BenchDeviceName, faults: Record<string, unknown>[]): Promise<void> {
    await this.#ask('POST', `${device}/faults`, { faults });
  }

  /** Outputs off, knobs at rest. */
  async reset(): Promise<void> {
    await this.#ask('POST', 'reset', {});
  }

  async outputs(): Promise<BenchOutputs> {
    return (await this.#ask('GET', 'outputs')) as BenchOutputs;
  }

  async trace(device: BenchDeviceName): Promise<TracePage> {
    return (await this.#ask('GET', `${device}/trace?limit=1000`)) as TracePage;
  }

  /** What is on: empty when nothing moves and no valve is open. */
  async outputsOn(): Promise<string[]> {
    const { coils, pump, lung } = await this.outputs();
    return [
      ...coils.flatMap((isOn, coil) => (isOn ? [`coil ${coil}`] : [])),
      ...(pump.fraction > 0 ? ['pump'] : []),
      ...(lung.velocity !== 0 ? ['lung'] : []),
    ];
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.url}/bench/v1/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  }
}
