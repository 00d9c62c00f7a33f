import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench, type BenchDeviceName } from '../../../src/bench/bench.ts';
import { AdvanceableClock } from '../../../src/bench/clock/advanceable-clock.ts';
import type { Clock } from '../../../src/lib/clock/clock.ts';
import { BenchControl } from '../../../src/services/bench/control.ts';
import { Twins } from '../../hil/twins.ts';
import { MachineClock } from './machine-clock.ts';

/** The bench of an emulated machine, outside of it: its twins live in the machine's time. */
export class MachineBench extends Twins {
  readonly clock: MachineClock;
  readonly #bench: Bench;
  readonly #control: BenchControl;
  readonly #folder: string;

  static async start(clock: Clock): Promise<MachineBench> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-machine-'));
    const time = new MachineClock(clock);
    const bench = new Bench({
      folder,
      usbredirFolder: join(folder, 'usb'),
      clock: new AdvanceableClock(time),
      wireClock: time,
    });
    const control = new BenchControl({ bench, clock, log: () => {} });
    const { url } = await control.listen(0);
    await bench.open();
    return new MachineBench({ url, time, bench, control, folder });
  }

  private constructor(parts: {
    url: string;
    time: MachineClock;
    bench: Bench;
    control: BenchControl;
    folder: string;
  }) {
    super(parts.url);
    this.clock = parts.time;
    this.#bench = parts.bench;
    this.#control = parts.control;
    this.#folder = parts.folder;
  }

  /** Socket of a device for the machine. */
  socketOf(device: BenchDeviceName): string {
    return join(this.#folder, 'usb', `${device}.sock`);
  }

  async end(): Promise<void> {
    await this.#control.end();
    await this.#bench.close();
    this.clock.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
