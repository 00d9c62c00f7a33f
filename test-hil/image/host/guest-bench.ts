import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchDeviceName } from '../../../src/bench/bench.ts';
import { Twins } from '../../hil/twins.ts';
import { end, launchReady, type Program } from '../../rig/bench/program.ts';

/** The built bench as a process, outside of the machine that has its twins as devices. */
export class GuestBench extends Twins {
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
    super(program.url);
    const [, port] = /"usbip":"127\.0\.0\.1:(\d+)"/.exec(program.text()) ?? [];
    this.port = Number(port);
    this.#program = program;
    this.#folder = folder;
  }

  /** Socket of a device for a machine in QEMU. */
  socketOf(device: BenchDeviceName): string {
    return join(this.#folder, 'usb', `${device}.sock`);
  }

  turn(device: BenchDeviceName, knobs: Record<string, unknown>): Promise<void> {
    return this.set({ [device]: knobs });
  }

  async end(): Promise<void> {
    await end(this.#program);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
