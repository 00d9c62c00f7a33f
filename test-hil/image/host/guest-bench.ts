import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchDeviceName, BenchOutputs } from '../../../src/bench/bench.ts';
import type { TracePage } from '../../../src/bench/trace/trace-log.ts';
import { end, launchReady, type Program } from '../../rig/bench/program.ts';

/** The built bench as a process, outside of the machine that has its twins as devices. */
export class GuestBench {
  /** Port of USB/IP on 127.0.0.1; NaN without USB/IP. */
  readonly port: number;
  readonly #program: Program & { url: string };
  readonly #folder: string;

  /** With the USB twins of the ADC chip and the motor exported over USB/IP on a free port. */
  static overUsbip(): Promise<GuestBench> {
    return GuestBench.start(['--usbip', '0', '--only', 'usbhid,tic,ads1115']);
  }

  static async start(options: readonly string[] = []): Promise<GuestBench> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-guest-bench-'));
    try {
      const places = ['--dir', folder, '--port', '0', '--usbredir', join(folder, 'usb')];
      return new GuestBench(await launchReady('svc-bench', [...places, ...options]), folder);
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

  /** Control port of the bench. */
  get url(): string {
    return this.#program.url;
  }

  /** Socket of a device for a machine in QEMU. */
  socketOf(device: BenchDeviceName): string {
    return join(this.#folder, 'usb', `${device}.sock`);
  }

  async turn(device: BenchDeviceName, knobs: Record<string, unknown>): Promise<void> {
    await this.#ask('PATCH', `${device}/knobs`, knobs);
  }

  async spoil(device: BenchDeviceName, faults: Record<string, unknown>[]): Promise<void> {
    await this.#ask('POST', `${device}/faults`, { faults });
  }

  async trace(device: BenchDeviceName): Promise<TracePage> {
    return (await this.#ask('GET', `${device}/trace?limit=1000`)) as TracePage;
  }

  async reset(): Promise<void> {
    await this.#ask('POST', 'reset', {});
  }

  /** What the twins put out, whatever they answered. */
  async outputs(): Promise<BenchOutputs> {
    return (await this.#ask('GET', 'outputs')) as BenchOutputs;
  }

  /** What is on at the twins: empty when nothing moves and no valve is open. */
  async outputsOn(): Promise<string[]> {
    const { coils, pump, lung } = await this.outputs();
    return [
      ...coils.flatMap((isOn, coil) => (isOn ? [`coil ${coil}`] : [])),
      ...(pump.fraction > 0 ? ['pump'] : []),
      ...(lung.velocity !== 0 ? ['lung'] : []),
    ];
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
