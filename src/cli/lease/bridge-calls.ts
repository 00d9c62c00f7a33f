import { reasonOf } from '../../lib/errors/coded-error.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { bridgeUrl } from '../stop/bridge-url.ts';
import { rigEnvironment } from '../stop/rig-environment.ts';

export type Body = Readonly<Record<string, unknown>>;

/** The safe state at the end of a lease takes 5 s at most. */
const LIMIT_MS = 7000;

/** Calls of an operator to the bridge. A refusal is told in the bridge's own words. */
export class BridgeCalls {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #io: Pick<Io, 'fetch' | 'clock'>;

  /** @throws CliError exit code 2 for what is no address */
  constructor(option: string | undefined, io: Io) {
    const env = rigEnvironment(io);
    this.#url = bridgeUrl(option, env);
    this.#token = env.SVC_API_TOKEN || undefined;
    this.#io = io;
  }

  /** @throws CliError `bridge_unreachable`, or the code of the bridge, both with exit code 3 */
  async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Body): Promise<Body> {
    const limit = new AbortController();
    const cancel = this.#io.clock.after(LIMIT_MS, () =>
      limit.abort(new Error(`no answer within ${LIMIT_MS / 1000} s`)),
    );
    try {
      const response = await this.#io.fetch(`${this.#url}/api/v1/${path}`, {
        method,
        redirect: 'error',
        signal: limit.signal,
        headers: {
          ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const answer = (await response.json()) as Body;
      if (response.ok) return answer;
      throw new CliError(String(answer.code), String(answer.detail), EXIT.error);
    } catch (thrown) {
      if (thrown instanceof CliError) throw thrown;
      const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
      const message = `the bridge at ${this.#url} does not answer: ${reasonOf(cause)}; start it, or name it by --firmware-url`;
      throw new CliError('bridge_unreachable', message, EXIT.error, { cause });
    } finally {
      cancel();
    }
  }
}
