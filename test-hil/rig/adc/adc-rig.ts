import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchDeviceName } from '../../../src/bench/bench.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { end, launch, launchReady, type Program } from '../bench/program.ts';

export type AdcServiceName = 'svc-adc-usb' | 'svc-adc-uart' | 'svc-adc-stack';

const POLL_MS = 20;

/** The twins of the ADC devices as one process, and the built services on them, in a folder of their own. */
export class AdcRig {
  readonly folder: string;
  readonly #bench: Program & { url: string };
  readonly #programs: Program[] = [];

  static async open(): Promise<AdcRig> {
    const folder = mkdtempSync(join(tmpdir(), 'adc-rig-'));
    const args = ['--dir', join(folder, 'bench'), '--port', '0', '--only', 'usbhid,uart,bank'];
    return new AdcRig(folder, await launchReady('svc-bench', args));
  }

  private constructor(folder: string, bench: Program & { url: string }) {
    this.folder = folder;
    this.#bench = bench;
  }

  get env(): Record<string, string> {
    return {
      SVC_CONFIG_PATH: '/dev/null',
      SVC_STATE_DIR: join(this.folder, 'state'),
      USBADC_ADDRESS: `bench:${join(this.folder, 'bench', 'usbhid.sock')}`,
      UARTADC_SERIAL_PORT: join(this.folder, 'bench', 'uart'),
    };
  }

  /** A service on a free port. */
  async start(name: AdcServiceName, env: Record<string, string> = {}): Promise<Program & { url: string }> {
    const program = await launchReady(name, ['--port', '0'], { ...this.env, ...env });
    this.#programs.push(program);
    return program;
  }

  /** A service that may end at once. */
  launch(name: AdcServiceName, args: string[] = ['--port', '0'], env: Record<string, string> = {}): Program {
    const program = launch(name, args, { ...this.env, ...env });
    this.#programs.push(program);
    return program;
  }

  async turn(device: BenchDeviceName, knobs: Record<string, unknown>): Promise<void> {
    const response = await fetch(`${this.#bench.url}/bench/v1/${device}/knobs`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(knobs),
    });
    if (!response.ok) throw new Error(`knobs of ${device}: ${await response.text()}`);
  }

  /** Programs that have the twin's HID socket open: a witness that knows nothing of locks. */
  async hidClients(): Promise<number> {
    const { clients } = (await getJson(`${this.#bench.url}/bench/v1/outputs`)) as {
      clients: Record<string, number>;
    };
    return clients.usbhid ?? 0;
  }

  async close(): Promise<void> {
    for (const program of this.#programs.reverse()) await end(program);
    await end(this.#bench);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function onAdcRig(work: (rig: AdcRig) => Promise<void>): Promise<void> {
  const rig = await AdcRig.open();
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}

export async function getJson(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

/** Resolves when a GET answers with the status. The test's own time-out bounds it. */
export async function untilStatus(url: string, status: number): Promise<void> {
  while ((await fetch(url)).status !== status) await systemClock.sleep(POLL_MS);
}
