import type { Clock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { UsbPipe } from '../../transports/memory/usb-pipe.ts';
import { TransportError } from '../../transports/transport-error.ts';
import type { ControlRequest, UsbControl, UsbIdentity } from '../../transports/usb/usb-control.ts';
import type { TwinEvent } from '../twin-event.ts';
import { type Move, type TicOptions, TicT249 } from './driver.ts';
import { TicTwin } from './twin.ts';

/** A twin's endpoint 0 with the time it takes to answer; `UsbPipe` answers at once. */
export class TwinPipe implements UsbControl {
  readonly address: string;
  readonly #twin: TicTwin;
  readonly #clock: Clock;
  readonly #pipe: UsbPipe;
  readonly #owed = new Set<(cause: Error) => void>();

  constructor(twin: TicTwin, clock: Clock, address = 'memory') {
    this.#twin = twin;
    this.#clock = clock;
    this.address = address;
    const identity: UsbIdentity = {
      get vendorId() {
        return twin.identity.vendorId;
      },
      get productId() {
        return twin.identity.productId;
      },
      get serial() {
        return twin.identity.serial;
      },
      get bcdDevice() {
        return twin.identity.bcdDevice;
      },
      path: address,
    };
    this.#pipe = new UsbPipe({ address, identity, handle: (setup) => twin.control(setup) });
  }

  /** Times it was opened. */
  get opens(): number {
    return this.#pipe.opens;
  }

  /** Transfers whose answer has not come. */
  get owed(): number {
    return this.#owed.size;
  }

  get identity(): UsbIdentity | undefined {
    return this.#pipe.identity;
  }

  open(): Promise<void> {
    return this.#pipe.open();
  }

  close(): Promise<void> {
    this.#giveUp('port_closed', 'was closed');
    return this.#pipe.close();
  }

  controlOut(request: ControlRequest): Promise<void> {
    return this.#timed(() => this.#pipe.controlOut(request));
  }

  controlIn(request: ControlRequest, length: number): Promise<Uint8Array> {
    return this.#timed(() => this.#pipe.controlIn(request, length));
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#pipe.onClosed(listener);
  }

  unplug(): void {
    this.#giveUp('port_gone', 'was unplugged');
    this.#pipe.unplug();
  }

  plug(): void {
    this.#pipe.plug();
  }

  #giveUp(code: 'port_closed' | 'port_gone', what: string): void {
    for (const reject of [...this.#owed])
      reject(new TransportError(code, this.address, `${this.address} ${what}`));
  }

  #timed<T>(transfer: () => Promise<T>): Promise<T> {
    const isOpen = this.#pipe.identity !== undefined;
    const answer = transfer();
    const delayMs = isOpen ? this.#twin.answerDelayMs : 0;
    if (delayMs === 0) return answer;
    // What comes of an answer that no caller waits for any more is dropped.
    answer.catch(() => {});
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        cancel();
        this.#owed.delete(fail);
      };
      const fail = (cause: Error) => {
        leave();
        reject(cause);
      };
      const cancel = Number.isFinite(delayMs)
        ? this.#clock.after(delayMs, () => {
            leave();
            answer.then(resolve, reject);
          })
        : () => {};
      this.#owed.add(fail);
    });
  }
}

/** A driver against a twin, on a clock that is stepped. */
export function ticInMemory(options: { seed?: number; driver?: TicOptions; vinMv?: () => number } = {}) {
  const clock = new SteppedClock();
  const events: TwinEvent[] = [];
  const twin = new TicTwin({
    clock,
    random: seededRandom(options.seed ?? 1),
    ...(options.vinMv === undefined ? {} : { vinMv: options.vinMv }),
    listener: (event) => events.push(event),
    knobsChanged: ({ unplug }) => {
      if (unplug === true) pipe.unplug();
      else if (unplug === false) pipe.plug();
    },
  });
  const pipe = new TwinPipe(twin, clock);
  const tic = new TicT249(pipe, { clock, ...options.driver });
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  return { clock, twin, pipe, tic, events, step };
}

/** 5000 microsteps forward at 1000 step/s. */
export const MOVE: Move = { steps: 5000, speed: 10_000_000, direction: 'forward' };

/** The same, opened, with what tests ask of it. */
export async function opened(options: Parameters<typeof ticInMemory>[0] = {}) {
  const rig = ticInMemory(options);
  await rig.step(rig.tic.open());
  /** Setup packets of one command. */
  const sent = (command: number) =>
    rig.events.filter((event) => event.kind === 'in' && event.bytes[1] === command).length;
  const isSafe = () => !rig.twin.motion.energized && rig.twin.motion.velocity === 0;
  return { ...rig, sent, isSafe };
}
