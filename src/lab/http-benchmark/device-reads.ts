interface TracePage {
  trace: { kind: string; bytes?: string }[];
  next: number;
}

/** Command of the report that asks the chip for its three voltages. */
const STATUS = /^10\b/;

/** Counts the readings that the twin of the USB chip was asked for, by the trace of its bench. */
export class DeviceReads {
  readonly #url: string;
  #since = 0;

  /** @param benchUrl of `svc-bench` with no other device in use */
  constructor(benchUrl: string) {
    this.#url = benchUrl;
  }

  /**
   * How many since the last call. The bench remembers the newest 5000 entries: of more, their share is taken for that
   * of all.
   */
  async next(): Promise<number> {
    const answer = await fetch(`${this.#url}/bench/v1/usbhid/trace?since=${this.#since}`);
    const { trace, next } = (await answer.json()) as TracePage;
    const entries = next - this.#since;
    this.#since = next;
    const reads = trace.filter(({ kind, bytes = '' }) => kind === 'in' && STATUS.test(bytes)).length;
    return trace.length === 0 ? 0 : (reads / trace.length) * entries;
  }
}
