import type { HilBench, RigPart } from './bench-file.ts';
import type { Ended } from './ssh.ts';
import { Twins } from './twins.ts';

/** By the time of the rig, which an emulated one has of its own; each poll costs it a process of Node. */
const POLL_S = 5;
const READY_S = 300;
const SCENARIOS = '/opt/svc-rig/current/scenarios';

/** A rig as its operator has it: over SSH, with `svcctl`. */
export class HilRig {
  readonly twins: Twins | undefined;
  readonly #bench: HilBench;
  /** Runs a command line there as its operator. @param input for its standard input */
  readonly run: (command: string, input?: string) => Promise<Ended>;

  constructor(bench: HilBench, run: HilRig['run']) {
    this.#bench = bench;
    this.run = run;
    if (bench.twins !== undefined) this.twins = new Twins(bench.twins);
  }

  has(...parts: RigPart[]): boolean {
    return parts.every((part) => this.#bench.connected.includes(part));
  }

  /** A scenario that the rig ships with, on the devices. */
  scenario(name: string): Promise<Ended> {
    return this.run(`svcctl run ${SCENARIOS}/${name}.oql --mode execute`);
  }

  /** Waits until every service of the profile is well. @throws Error with what svcctl says then */
  async untilReady(): Promise<void> {
    const untilWell = `for i in $(seq ${READY_S / POLL_S}); do said=$(svcctl services 2>&1) && exit 0; sleep ${POLL_S}; done; echo "$said"; exit 1`;
    const { code, stdout, stderr } = await this.run(untilWell);
    if (code !== 0) throw new Error(`the rig is not ready: ${stdout}${stderr}`);
  }
}
