import type { SerialTwin } from '../../devices/twin.ts';

/**
 * One serial line with several adapters: a pseudo-terminal, and a USB device of a machine. What the line sends reaches the
 * adapter that sent last, so that an adapter without a reader collects nothing.
 */
export class SerialHub {
  readonly #line: SerialTwin;
  #last: ((bytes: Uint8Array) => void) | undefined;

  constructor(line: SerialTwin) {
    this.#line = line;
    line.connect((bytes) => this.#last?.(bytes));
  }

  /** The line as one adapter has it. */
  asTwin(): SerialTwin {
    let send: (bytes: Uint8Array) => void = () => {};
    const deliver = (bytes: Uint8Array) => send(bytes);
    return {
      connect: (next) => {
        send = next;
      },
      setLine: (settings) => this.#line.setLine?.(settings),
      receive: (bytes) => {
        this.#last = deliver;
        this.#line.receive(bytes);
      },
    };
  }
}
