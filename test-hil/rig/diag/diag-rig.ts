import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import type { BenchRig } from '../bench/bench-rig.ts';
import { launch, type Program, root } from '../bench/program.ts';

export type Json = Record<string, unknown>;

/** Variables that lead a diagnostic program to the rig. */
export const envOf = (rig: BenchRig): Record<string, string> => ({
  SVC_CONFIG_PATH: rig.config,
  SVC_STATE_DIR: rig.folder,
  RIG_RUNTIME_DIR: rig.folder,
  SVC_FIRMWARE_URL: rig.bridge.url,
});

export const diag = (rig: BenchRig, args: readonly string[], env: Record<string, string> = {}): Program =>
  launch('svc-diag', args, { ...envOf(rig), ...env });

/** The one JSON document on stdout. */
export function documentOf({ stdout }: { stdout: string }): Json {
  const lines = stdout.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one JSON document: ${stdout}`);
  return JSON.parse(lines[0] ?? '') as Json;
}

/** A program at a real terminal. */
export class Terminal {
  readonly #pty: IPty;
  #text = '';
  readonly ended: Promise<number>;

  constructor(
    rig: BenchRig,
    args: readonly string[],
    { columns = 80, env = {} }: { columns?: number; env?: Record<string, string> } = {},
  ) {
    this.#pty = spawn(process.execPath, [join(root, 'dist', 'svc-diag.cjs'), ...args], {
      cols: columns,
      rows: 24,
      cwd: rig.folder,
      env: { PATH: process.env.PATH ?? '', HOME: rig.folder, TERM: 'xterm', ...envOf(rig), ...env },
    });
    this.#pty.onData((text) => {
      this.#text += text;
    });
    this.ended = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  get text(): string {
    return this.#text;
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(columns: number): void {
    this.#pty.resize(columns, 24);
  }

  /** Waits until `text` has come `times` times. The test's own time-out bounds it. */
  async until(text: string, times = 1): Promise<void> {
    while (this.#text.split(text).length <= times) await systemClock.sleep(20);
  }

  /** As when the SSH connection is lost. */
  hangUp(): void {
    this.#pty.kill('SIGHUP');
  }

  async end(): Promise<void> {
    this.#pty.kill('SIGKILL');
    await this.ended;
  }
}
