import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOutputs } from '../../../src/bench/bench.ts';
import type { TracePage } from '../../../src/bench/trace/trace-log.ts';
import { end, launchReady, type Program } from '../../rig/bench/program.ts';

/** Twins that a guest meets: on USB, and on the I2C bus of the ADC chip. */
export type GuestTwin = 'usbhid' | 'tic' | 'ads1115';

/** The built bench as a process, with both USB twins exported over USB/IP on a free port. */
export class UsbipBench {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly #program: Program & { url: string };
  readonly #folder: string;

  static async start(): Promise<UsbipBench> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-guest-bench-'));
    try {
      const options = ['--dir', folder, '--port', '0', '--usbip', '0', '--only', 'usbhid,tic,ads1115'];
      return new UsbipBench(await launchReady('svc-bench', options), folder);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(program: Program & { url: string }, folder: string) {
    const [, port] = /"usbip":"127\.0\.0\.1:(\d+)"/.exec(program.text()) ?? [];
    this.port = Number(port);
    this.#program = program;
    this.#folder = folder;
  }

  async turn(device: GuestTwin, knobs: Record<string, unknown>): Promise<void> {
    await this.#ask('PATCH', `${device}/knobs`, knobs);
  }

  async spoil(device: GuestTwin, faults: Record<string, unknown>[]): Promise<void> {
    await this.#ask('POST', `${device}/faults`, { faults });
  }

  async trace(device: GuestTwin): Promise<TracePage> {
    return (await this.#ask('GET', `${device}/trace?limit=1000`)) as TracePage;
  }

  /** The motor as the twin has it, whatever it answered. */
  async lung(): Promise<BenchOutputs['lung']> {
    return ((await this.#ask('GET', 'outputs')) as BenchOutputs).lung;
  }

  async end(): Promise<void> {
    await end(this.#program);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.#program.url}/bench/v1/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  }
}
