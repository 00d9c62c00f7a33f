import type { Clock } from '../../lib/clock/clock.ts';
import { HttpError, invalidField } from '../../lib/http/http-error.ts';
import type { ProblemCode } from '../../lib/http/problem-table.ts';
import { liveAddress, rigKey, stateDirOf } from '../../lib/liveness/live-address.ts';
import { listenerPid } from '../../lib/lock/lock-listener.ts';
import type { Config } from '../configuration/types.ts';
import { type CallingBridge, readBridgeId, rigOf } from './bridge-id.ts';

/** Longer than any pause between two calls of a bridge that runs, also while the device is silent. */
const HELD_MS = 10_000;

export interface BridgeHoldOptions {
  device: string;
  clock: Clock;
  config: Config;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * While a bridge uses a service no other client switches its actuator on (SVC-052): a run would be
 * judged by what it has not commanded. The bridge holds the service by its calls, until 10 s after the last one.
 * Stops and readings are never refused.
 */
export class BridgeHold {
  readonly #device: string;
  readonly #clock: Clock;
  #bridge: CallingBridge | undefined;
  /** Monotonic milliseconds. */
  #endsAt = 0;

  constructor({ device, clock, config, env }: BridgeHoldOptions) {
    this.#device = device;
    this.#clock = clock;
    const plugin = config.plugins.find(({ id }) => id === device);
    if (plugin?.enabled && plugin.connection?.type === 'http') this.#beginBesideBridge(stateDirOf(env));
  }

  /** A call that is never refused. @param id value of the header `x-bridge-id` */
  note(id: string | undefined): void {
    const caller = id === undefined ? undefined : readBridgeId(id);
    if (caller && (this.holder?.rig ?? caller.rig) === caller.rig) this.#hold(caller);
  }

  /**
   * A command that switches on, or lets what is on go on.
   * @throws HttpError `held_by_bridge` while another bridge holds the service, or one does and no bridge calls;
   *   `invalid_parameter` for what is not an id
   */
  admit(id: string | undefined): void {
    const caller = id === undefined ? undefined : readBridgeId(id);
    if (id !== undefined && !caller)
      throw invalidField('invalid_parameter', {
        in: 'header',
        field: 'x-bridge-id',
        message: 'is not an id of a bridge; run bridge and service in the same version',
        value: id,
      });
    this.note(id);
    const { holder } = this;
    if (holder && holder.rig !== caller?.rig) throw heldByBridge(this.#device, holder);
  }

  /** Undefined while no bridge holds the service. */
  get holder(): CallingBridge | undefined {
    return this.#clock.monotonic() < this.#endsAt ? this.#bridge : undefined;
  }

  #hold(bridge: CallingBridge): void {
    this.#bridge = bridge;
    this.#endsAt = this.#clock.monotonic() + HELD_MS;
  }

  /** A service that is started again does not know who held it before: the bridge of its rig, when one runs. */
  #beginBesideBridge(stateDir: string): void {
    const pid = listenerPid(liveAddress('svc-bridge', rigKey(stateDir)));
    if (pid === undefined) return;
    const since = new Date(this.#clock.now()).toISOString();
    this.#hold({ rig: rigOf(stateDir), service: 'svc-bridge', pid, port: null, since });
  }
}

function heldByBridge(device: string, { rig, ...holder }: CallingBridge): HttpError {
  const { service, pid, port } = holder;
  const who = `${service} (pid ${pid}${port === null ? '' : `, port ${port}`}) of rig ${rig}`;
  const remedy = `send the command to that bridge, or stop it and wait ${HELD_MS / 1000} s`;
  const code: ProblemCode = 'held_by_bridge';
  return new HttpError(code, `${device}: held by ${who}; ${remedy}`, { members: { device, holder, remedy } });
}
