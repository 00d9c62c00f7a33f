import { systemClock } from '../../src/lib/clock/clock.ts';
import type { HilBench, RigPart } from './bench-file.ts';
import { type Ended, ssh } from './ssh.ts';
import { Twins } from './twins.ts';

/** Each costs the rig a process of Node. */
const POLL_MS = 15_000;
/** An emulated machine beside other work is slow. */
const READY_MS = 10 * 60_000;
const SCENARIOS = '/opt/svc-rig/current/scenarios';

/** A rig as its operator has it: over SSH, with `svcctl`. */
export class HilRig {
  readonly twins: Twins | undefined;
  readonly #bench: HilBench;
  readonly #port: () => number;

  /** @param port of a machine whose port is another after each start */
  constructor(bench: HilBench, port = () => bench.rig.port) {
    this.#bench = bench;
    this.#port = port;
    if (bench.twins !== undefined) this.twins = new Twins(bench.twins);
  }

  has(...parts: RigPart[]): boolean {
    return parts.every((part) => this.#bench.connected.includes(part));
  }

  run(command: string, input?: string): Promise<Ended> {
    return ssh({ ...this.#bench.rig, port: this.#port() }, command, input);
  }

  /** A scenario that the rig ships with, on the devices. */
  scenario(name: string): Promise<Ended> {
    return this.run(`svcctl run ${SCENARIOS}/${name}.oql --mode execute`);
  }

  /** Waits until every service of the profile is well. @throws Error with what svcctl says then */
  async untilReady(): Promise<void> {
    const endsAt = systemClock.monotonic() + READY_MS;
    for (;;) {
      const { code, stdout, stderr } = await this.run('svcctl services');
      if (code === 0) return;
      if (systemClock.monotonic() > endsAt) throw new Error(`the rig is not ready: ${stdout}${stderr}`);
      await systemClock.sleep(POLL_MS);
    }
  }
}
