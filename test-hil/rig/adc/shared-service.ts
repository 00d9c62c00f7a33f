import type { BenchDeviceName } from '../../../src/bench/bench.ts';
import { AdcBench, type Answer, type BuiltService, type Call, until } from './adc-bench.ts';
import type { AdcServiceName } from './adc-rig.ts';

/** A test on a service: what it asks, where the twins are, and the service itself. */
export type Work = (call: Call, rig: AdcBench, service: BuiltService) => Promise<void>;

/**
 * One process of a service for the tests of one file. Before each of them the twins are put to rest, and every channel
 * gives a reading.
 */
export class SharedService {
  readonly #name: AdcServiceName;
  readonly #only: readonly BenchDeviceName[];
  #opened: Promise<{ rig: AdcBench; service: BuiltService }> | undefined;

  constructor(name: AdcServiceName, only: readonly BenchDeviceName[]) {
    this.#name = name;
    this.#only = only;
  }

  async use(work: Work): Promise<void> {
    this.#opened ??= this.#open();
    const { rig, service } = await this.#opened;
    await rig.bench.reset();
    await untilGood(service.call);
    await work(service.call, rig, service);
  }

  async close(): Promise<void> {
    const opened = await this.#opened;
    await opened?.rig.close();
  }

  async #open() {
    const rig = await AdcBench.open(this.#only);
    return { rig, service: await rig.start(this.#name) };
  }
}

/** Resolves when every channel gives a reading. */
export function untilGood(call: Call): Promise<void> {
  return until(async () => isGood(await call('/api/v1/adc')));
}

function isGood({ status, body }: Answer): boolean {
  return status === 200 && (body as { ok: boolean }[]).every(({ ok }) => ok);
}
