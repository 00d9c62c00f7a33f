import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endWithThisProcess } from '../../test-kit/end-with-parent.ts';
import { compiledPeer } from '../device-benchmarks/compiled-peer.ts';

/** A fault that the slave made. */
export interface NastyFault {
  kind: string;
  /** `monotonicMs` at which its request was there. */
  atMs: number;
}

/** What the slave's outputs are in truth, coil 0..7, and how many requests it has heard. */
export interface NastyTruth {
  coils: boolean[];
  requests: number;
}

/** Kinds that are a well-formed reply of the right shape in time with a wrong value: one reply does not show it. */
export const UNDETECTABLE_KINDS = ['previous_alike', 'one_coil', 'inverted'] as const;

/** All other kinds of `test-hil/peers/nasty-slave.c`. */
export const FAULT_KINDS = [
  'no_reply',
  'deaf',
  'late',
  'very_late',
  'early',
  'early_only',
  'repeated',
  'repeated_late',
  'doubled',
  'truncated',
  'extra_before',
  'extra_after',
  'bad_crc',
  'wrong_unit',
  'wrong_function',
  'wrong_echo',
  'other_count',
  'wrong_byte_count',
  'exception',
  'late_exception',
  'split',
  'noise_after',
  'noise_before',
  'stuck_echo',
  'previous',
  'held_back',
] as const;

/** CLOCK_MONOTONIC in milliseconds, as the slave has it. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** The independent slave in C, in a process of its own behind a pseudo-terminal. */
export class NastySlave {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;
  #faults: NastyFault[] = [];
  #earlyAtMs: number[] = [];
  /** Of the pseudo-terminal. */
  readonly path: string;

  private constructor(child: ChildProcessWithoutNullStreams, lines: AsyncIterator<string>, path: string) {
    this.#child = child;
    this.#lines = lines;
    this.path = path;
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
  }

  /** @param options.scale what all delays of faults are multiplied by */
  static async start(options: {
    baud: number;
    unit: number;
    seed: number;
    scale: number;
  }): Promise<NastySlave> {
    const { baud, unit, seed, scale } = options;
    endWithThisProcess();
    const child = spawn(compiledPeer('nasty-slave'), [baud, unit, seed, scale].map(String));
    child.stderr.pipe(process.stderr);
    child.stdin.on('error', () => {});
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    if (done) throw new Error('nasty-slave ended before it could be used');
    return new NastySlave(child, lines, String(value));
  }

  /** @param kinds of `FAULT_KINDS` and `UNDETECTABLE_KINDS` */
  async misbehave(share: number, kinds: readonly string[]): Promise<void> {
    await this.#ask(`only ${kinds.join(' ')}`);
    await this.#ask(`share ${share}`);
  }

  /** Moves an output as if by hand. */
  async move(coil: number, on: boolean): Promise<void> {
    await this.#ask(`move ${coil} ${on ? 1 : 0}`);
  }

  async truth(): Promise<NastyTruth> {
    const [, coils = '', requests] = (await this.#ask('truth')).split(' ');
    const bits = Number.parseInt(coils, 16);
    return {
      coils: Array.from({ length: 8 }, (_, coil) => ((bits >> coil) & 1) === 1),
      requests: Number(requests),
    };
  }

  /** The faults since the last call, as far as they were reported before the last answer. */
  takeFaults(): NastyFault[] {
    return this.#faults.splice(0);
  }

  /** `monotonicMs` at which early replies were really handed over, since the last call. */
  takeEarly(): number[] {
    return this.#earlyAtMs.splice(0);
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#ended;
  }

  async #ask(command: string): Promise<string> {
    this.#child.stdin.write(`${command}\n`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`nasty-slave ended instead of answering "${command}"`);
      const line = String(value);
      const [word, kind = '', atMs] = line.split(' ');
      if (word === 'fault') this.#faults.push({ kind, atMs: Number(atMs) });
      else if (word === 'early') this.#earlyAtMs.push(Number(kind));
      else return line;
    }
  }
}
