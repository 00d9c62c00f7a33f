import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { callService, type JsonObject } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';
import { serverUrl } from '../options/url.ts';
import { rigEnvironment } from '../stop/rig-environment.ts';

const LIMIT_MS = 10_000;

/** Calls of svcctl to svc-server. A refusal is reported in the server's own words. */
export class ServerCalls {
  readonly url: string;
  readonly #token: string | undefined;
  readonly #io: Io;

  /** @throws CliError exit code 2 for what is not an address */
  constructor(option: string | undefined, io: Io) {
    const env = rigEnvironment(io);
    this.url = serverUrl(option, env);
    this.#token = env.SVC_API_TOKEN;
    this.#io = io;
  }

  get headers(): Record<string, string> {
    return this.#token ? { authorization: `Bearer ${this.#token}` } : {};
  }

  unreachable(why: string, cause?: unknown): CliError {
    const message = `svc-server at ${this.url} does not answer: ${why}; start it, or name it by --server-url`;
    return new CliError('server_unreachable', message, EXIT.error, { cause });
  }

  /** @throws CliError `server_unreachable`, or the code of the server; exit code 2 for what is wrong with the request */
  call(method: 'GET' | 'POST', path: string, body?: JsonObject): Promise<JsonObject> {
    const token = this.#token;
    return callService(
      `${this.url}${path}`,
      { method, body, token, timeoutMs: LIMIT_MS, clock: this.#io.clock },
      {
        unreachable: (why, cause) => this.unreachable(why, cause),
        refused: ({ status, code, detail }) =>
          new CliError(code, detail, status === 404 || status === 422 ? EXIT.usage : EXIT.error),
      },
    );
  }
}
