import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { type CallFaults, callService, type JsonObject } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';
import { bridgeUrl, rigEnvironment } from '../stop/rig-environment.ts';

/** The safe state at the end of a lease takes 5 s at most. */
const LIMIT_MS = 7000;

/** Calls of an operator to the bridge. A refusal is reported in the bridge's own words. */
export class BridgeCalls {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #io: Pick<Io, 'clock'>;
  readonly #faults: CallFaults;

  /** @throws CliError exit code 2 for what is not an address */
  constructor(option: string | undefined, io: Io) {
    const env = rigEnvironment(io);
    this.#url = bridgeUrl(option, env);
    this.#token = env.SVC_API_TOKEN;
    this.#io = io;
    this.#faults = {
      unreachable: (why, cause) => {
        const message = `the bridge at ${this.#url} does not answer: ${why}; start it, or name it by --firmware-url`;
        return new CliError('bridge_unreachable', message, EXIT.error, { cause });
      },
      refused: ({ code, detail }) => new CliError(code, detail, EXIT.error),
    };
  }

  /** What the bridge says of itself. @throws CliError as `call` */
  health(): Promise<JsonObject> {
    const call = { token: this.#token, timeoutMs: LIMIT_MS, clock: this.#io.clock };
    return callService(`${this.#url}/health`, call, this.#faults);
  }

  /**
   * @param leaseId of the caller, for what actuates
   * @throws CliError `bridge_unreachable`, or the code of the bridge, both with exit code 3
   */
  call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: JsonObject,
    leaseId?: string,
  ): Promise<JsonObject> {
    const headers = leaseId === undefined ? {} : { headers: { 'x-lease-id': leaseId } };
    const call = {
      method,
      body,
      token: this.#token,
      timeoutMs: LIMIT_MS,
      clock: this.#io.clock,
      ...headers,
    };
    return callService(`${this.#url}/api/v1/${path}`, call, this.#faults);
  }
}
