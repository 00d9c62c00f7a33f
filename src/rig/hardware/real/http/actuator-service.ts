import type { Clock } from '../../../../lib/clock/clock.ts';
import { isLocalAddress, isLoopback } from '../../../../lib/http/loopback.ts';
import { HeartbeatMonitor } from '../../../../lib/liveness/heartbeat-monitor.ts';
import type { Milliseconds } from '../../../../lib/quantity.ts';
import type { DeviceEvents } from '../../rig-device.ts';
import { HoldRenewal, type Standing } from './hold-renewal.ts';
import { type JsonObject, ServiceClient } from './service-client.ts';
import { type Marked, ServiceLink } from './service-link.ts';

/** Reads an answer of the service. @throws RigError `corrupt_response` */
export type ReadAnswer<A> = (client: ServiceClient, path: string, body: JsonObject) => A;

/** What a bridge has beside the guard, which only stops. */
export interface BridgeCaller {
  /** Value of `x-bridge-id`. */
  id: () => string;
  /** Where services show that they live, by their names: their end is noticed at once. */
  lifeAddress: (service: string) => string;
}

export interface ActuatorServiceOptions<A> extends DeviceEvents {
  device: string;
  /** Name of the program, for example `svc-pump`. */
  service: string;
  baseUrl: string;
  token?: string | undefined;
  clock: Clock;
  /** Milliseconds of one call, at most 2500. */
  timeoutMs: Milliseconds;
  /** Without it the service is not held, and its end is noticed with the next renewal, within 3 s. */
  bridge?: BridgeCaller | undefined;
  /** Reads the answer of /api/status and /api/hold. */
  status: ReadAnswer<A>;
  /** Stops the actuator. */
  stop: () => Promise<unknown>;
}

/** The way to an actuator through the service that owns it. */
export class ActuatorService<A extends Marked> {
  readonly client: ServiceClient;
  readonly link: ServiceLink;
  readonly #options: ActuatorServiceOptions<A>;
  readonly #renewal: HoldRenewal<A>;
  readonly #life: HeartbeatMonitor | undefined;

  constructor(options: ActuatorServiceOptions<A>) {
    const { device, service, baseUrl, token, clock, timeoutMs, bridge, status, onReturn } = options;
    const client = new ServiceClient({ device, baseUrl, token, clock, timeoutMs, bridgeId: bridge?.id });
    const link = new ServiceLink({ id: device, service, mockCode: 'wrong_device', client, clock, onReturn });
    this.#options = options;
    this.client = client;
    this.link = link;
    this.#renewal = new HoldRenewal({
      clock,
      renew: (body, signal) => this.post('/api/hold', body, status, signal),
      onLost: (why) => this.lost(why),
    });
    this.#life = this.#heartbeatMonitor(options);
  }

  async open(): Promise<void> {
    this.#life?.start();
    await this.link.open();
  }

  async close(): Promise<void> {
    this.#life?.stop();
    this.release();
    await this.link.close();
  }

  /** Sent once. @throws RigError */
  post(path: string, body: JsonObject, answer: ReadAnswer<A>, signal?: AbortSignal): Promise<A> {
    return this.link.told(async () =>
      answer(this.client, path, await this.client.post(path, body, { signal })),
    );
  }

  /** @throws RigError */
  status(signal?: AbortSignal): Promise<A> {
    const path = '/api/status';
    return this.link.told(async () =>
      this.#options.status(this.client, path, await this.client.get(path, { signal })),
    );
  }

  /** Renews the hold of the command that has begun. @param judge says of each answer how the command stands */
  hold(judge: (answer: A) => Standing): void {
    this.#renewal.begin(judge);
  }

  /** Nothing is renewed any more: what still acts stops when its hold ends. */
  release(): void {
    this.#renewal.end();
  }

  /** A command to stop, after which nothing is renewed. @param proof throws when the answer shows no stop */
  async stopped(
    path: string,
    body: JsonObject,
    answer: ReadAnswer<A>,
    proof: (answer: A) => void,
    signal?: AbortSignal,
  ): Promise<A> {
    this.release();
    try {
      const told = await this.post(path, body, answer, signal);
      proof(told);
      return told;
    } catch (thrown) {
      // Whatever it was, the actuator is not proven to stand: its return is waited for.
      this.link.failed(thrown);
      throw thrown;
    }
  }

  /** Reported once for each command, and the stop is not awaited: the receiver makes the whole rig safe. */
  lost(why: string): void {
    this.stopOnce();
    this.tellLost(why);
  }

  /** The same when the stop was tried already. */
  tellLost(why: string): void {
    this.#options.onLost(`${this.#options.device} is no longer under command: ${why}`);
  }

  /** The stop after a command whose result is unknown. */
  stopOnce(): void {
    this.#options.stop().catch(() => {});
  }

  /**
   * A service that ends, however it does, leaves its device without command: the hold is renewed at once to see.
   * What is measured from then on is not what was asked for, so it must not become a verdict.
   */
  #heartbeatMonitor({
    service,
    baseUrl,
    clock,
    bridge,
  }: ActuatorServiceOptions<A>): HeartbeatMonitor | undefined {
    const { hostname } = new URL(baseUrl);
    if (!bridge || !(isLoopback(hostname) || isLocalAddress(hostname))) return undefined;
    return new HeartbeatMonitor({
      address: bridge.lifeAddress(service),
      clock,
      name: 'svc-bridge',
      onHello: () => {},
      onLine: ({ closing }) => {
        if (closing === true) this.#renewal.now();
      },
      onGone: () => this.#renewal.now(),
    });
  }
}
