import process from 'node:process';
import type { Clock } from '../../lib/clock/clock.ts';
import { HeartbeatServer } from '../../lib/liveness/heartbeat-server.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';

export interface ServiceLifeOptions {
  /** For example `svc-pump`. */
  service: string;
  stateDir: string;
  clock: Clock;
  log: (line: string) => void;
}

/**
 * What a service that owns an actuator shows to the guard: that it lives, and when it ends, how it left its device. One that
 * ends without that word is taken for dead, and its device is made safe.
 */
export class ServiceLife {
  readonly #line: HeartbeatServer;
  #isClosing = false;

  constructor({ service, stateDir, clock, log }: ServiceLifeOptions) {
    this.#line = new HeartbeatServer({
      address: liveAddress(service, rigKey(stateDir)),
      clock,
      log,
      hello: () => ({ service, pid: process.pid, closing: this.#isClosing }),
    });
  }

  /** Before anything may move. */
  open(): void {
    this.#line.open();
  }

  /** From now on it answers no request, and stops its device. */
  closing(): void {
    this.#isClosing = true;
    this.#line.tell({ closing: true });
  }

  /** Nothing moves any more, until this process has ended. @param isSafe whether that is proven */
  left(isSafe: boolean): void {
    this.#line.tell({ left_safe: isSafe });
  }

  close(): void {
    this.#line.close();
  }
}
