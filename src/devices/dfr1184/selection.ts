import type { Clock } from '../../lib/clock/clock.ts';
import { DeviceError } from '../device-error.ts';
import { READ_SELECTED, selectInput, type UartInput } from './protocol.ts';
import type { UartStatistics } from './statistics.ts';
import type { UartLine } from './uart-line.ts';

/**
 * How it is known that a value is of the input that was asked for. The module does not answer a selection, and a sample
 * does not name its input (DEV-055).
 *
 * - `register`: the selection is read back before each sample
 * - `text`: register 20 cannot be read; values are taken in the text form, which names the input
 * - `none`: neither is possible; a lost selection gives a value of the other input
 */
export type SelectionProof = 'register' | 'text' | 'none';

/** From a selection to the sample. */
const SELECT_MS = 20;
/** From a selection to its read-back: 4.2 ms on the wire at 9600, and time for stray bytes to show. */
const SETTLE_MS = 8;
/** A module that can be asked for a register answers within a few milliseconds. */
const READ_BACK_MS = 250;
/** Useless answers before a way counts as unknown to the module; each is followed by a resync. */
const FAILURES = 2;
/**
 * Failures in a row of a way that worked, each behind a good resync: the module may have been exchanged on its wires.
 */
const DOUBTFUL_FAILURES = 3;
/** A module without proof is asked again after this time. */
const UNPROVEN_MS = 600_000;

/** Selects inputs, proves the selection, and finds out once how a module lets itself be proven. */
export class Selection {
  readonly #line: UartLine;
  readonly #clock: Clock;
  readonly #statistics: UartStatistics;
  readonly #decided: (proof: SelectionProof) => void;
  #proof: SelectionProof | undefined;
  #registerFailures = 0;
  #isTextKnown = false;
  #textFailures = 0;
  /** In a row, of the way in use. */
  #doubts = 0;
  #decidedAt = 0;

  /** @param options.decided told of each decision */
  constructor(options: {
    line: UartLine;
    clock: Clock;
    statistics: UartStatistics;
    decided: (proof: SelectionProof) => void;
    proof?: SelectionProof | undefined;
  }) {
    this.#line = options.line;
    this.#clock = options.clock;
    this.#statistics = options.statistics;
    this.#decided = options.decided;
    this.#proof = options.proof;
  }

  /** Undefined until the first sample behind an opening of the port. */
  get proof(): SelectionProof | undefined {
    return this.#proof;
  }

  /** Another module may be there. */
  forget(): void {
    this.#proof = undefined;
    this.#registerFailures = 0;
    this.#isTextKnown = false;
    this.#textFailures = 0;
    this.#doubts = 0;
  }

  /**
   * The proof to use. Both inputs are tried, since a register that always reads the same proves nothing.
   *
   * @throws DeviceError when the module is out of step: the repetition behind a resync goes on
   */
  async decide(signal: AbortSignal): Promise<SelectionProof> {
    const isOver = this.#proof === 'none' && this.#clock.monotonic() - this.#decidedAt > UNPROVEN_MS;
    if (isOver) this.forget();
    if (this.#proof) return this.#proof;
    // Twice, since a selection may have been lost. Either way the text form is no less a proof.
    for (let tries = 0; tries < 2; tries++)
      if (await this.#showsBoth(signal)) return this.#become('register');
    return this.#become('text');
  }

  /** Selects an input, and proves it where the module shows its register. A sample may be asked for then. */
  async select(input: UartInput, signal: AbortSignal): Promise<void> {
    await this.#send(input, signal);
    const sentAt = this.#clock.monotonic();
    if (this.#proof === 'register') await this.#prove(input, signal);
    await this.#line.pause(SELECT_MS - (this.#clock.monotonic() - sentAt), signal);
    this.#line.refuseStrays();
  }

  /** A value in the text form came whole and named its input. */
  textSucceeded(): void {
    this.#isTextKnown = true;
    this.#doubts = 0;
  }

  /** A value in the text form failed: until one has succeeded the module may not know it. */
  textFailed(fault: unknown, signal: AbortSignal): void {
    if (signal.aborted || !(fault instanceof DeviceError)) return;
    if (fault.reason === 'range') return this.textSucceeded();
    if (this.#isTextKnown && fault.code === 'device_error') return this.forget();
    if (this.#isTextKnown) return this.#doubt(fault, signal);
    if (fault.code === 'device_error') this.#become('none');
    if (fault.code !== 'device_timeout' && fault.code !== 'corrupt_response') return;
    this.#textFailures += 1;
    if (this.#textFailures >= FAILURES) this.#become('none');
  }

  async #showsBoth(signal: AbortSignal): Promise<boolean> {
    try {
      for (const input of [2, 1] as const) {
        await this.#send(input, signal);
        if ((await this.#readBack(signal)) !== input) return false;
      }
      return true;
    } catch (fault) {
      // The end of the call, by its deadline too, says nothing about the module.
      if (signal.aborted || !(fault instanceof DeviceError)) throw fault;
      const isSilence = fault.code === 'device_timeout';
      if (fault.code === 'corrupt_response') this.#registerFailures += 1;
      if (isSilence || this.#registerFailures >= FAILURES) this.#become('text');
      // No silence of the module as a whole: its port stays open.
      throw isSilence ? this.#fail('the module does not show which input is selected', fault) : fault;
    }
  }

  async #send(input: UartInput, signal: AbortSignal): Promise<void> {
    await this.#line.drain(signal);
    await this.#line.send(selectInput(input), signal);
  }

  async #prove(input: UartInput, signal: AbortSignal): Promise<void> {
    try {
      const selected = await this.#readBack(signal);
      if (selected !== input) {
        this.#statistics.lostSelections += 1;
        throw this.#fail(
          `AIN${input} was selected, but the module has ${selected} selected; check the wiring`,
        );
      }
      this.#doubts = 0;
    } catch (fault) {
      this.#doubt(fault, signal);
      throw fault;
    }
  }

  #doubt(fault: unknown, signal: AbortSignal): void {
    const isUseless =
      fault instanceof DeviceError && (fault.code === 'device_timeout' || fault.code === 'corrupt_response');
    if (signal.aborted || !isUseless) return;
    this.#doubts += 1;
    if (this.#doubts >= DOUBTFUL_FAILURES) this.forget();
  }

  /** The input that the module has selected, right behind a selection. */
  async #readBack(signal: AbortSignal): Promise<number | undefined> {
    await this.#line.pause(SETTLE_MS, signal);
    this.#line.refuseStrays();
    const { bytes } = await this.#line.exchange(READ_SELECTED, 1, signal, READ_BACK_MS);
    return bytes[0];
  }

  #become(proof: SelectionProof): SelectionProof {
    this.#proof = proof;
    this.#decidedAt = this.#clock.monotonic();
    this.#decided(proof);
    return proof;
  }

  #fail(message: string, cause?: unknown): DeviceError {
    return this.#line.fail('corrupt_response', message, { reason: 'selection', sent: true, cause });
  }
}
