import type { RtuTraceEvent } from '../../devices/modbus-rtu/trace.ts';

/** What a master itself takes between two frames, by its own trace: no delay of line, terminal or twin is in it. */
export class GapMeter {
  readonly #gapsMs: number[] = [];
  #receivedAtMs: number | undefined;

  readonly trace = ({ kind, atMs }: RtuTraceEvent): void => {
    if (kind === 'sent' && this.#receivedAtMs !== undefined) this.#gapsMs.push(atMs - this.#receivedAtMs);
    this.#receivedAtMs = kind === 'received' ? atMs : undefined;
  };

  /** From the last byte of a reply to the next request, milliseconds: the middle one. */
  get middleMs(): number {
    const sorted = [...this.#gapsMs].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? Number.NaN;
  }
}
