import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { type BindOptions, bindOptions } from '../../lib/http/bind-options.ts';
import { exposureFrom } from '../../lib/http/exposure.ts';
import { HttpService } from '../../lib/http/http-service.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import { NDJSON_TYPE, ndjsonStream } from '../../lib/http/reply.ts';
import { type Route, route } from '../../lib/http/route.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { version } from '../../lib/version.ts';
import { GUARD } from '../../rig/guard/bridge-life.ts';
import type { GuardReport } from '../../rig/guard/guard-report.ts';
import { RIG_PORTS } from '../../rig/profiles/rig-services.ts';
import { type StopRequest, stopIdOf } from '../../rig/safe-state/operator-stop.ts';
import type { StepReport } from '../../rig/safe-state/report.ts';
import { ListeningPort, recordListening } from '../../rig/service/listening-port.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const RETRY_MS = 1000;
const LONGEST_NAME = 100;

const healthAnswer = z.object({
  ok: z.literal(true),
  status: z.literal('ok'),
  service: z.literal(GUARD),
  version: z.string(),
  pid: z.int(),
});

export interface StopServiceOptions {
  env: Environment;
  stateDir: string;
  clock: Clock;
  logger: Logger;
  /** Never rejects. */
  stop: (asked: StopRequest) => Promise<GuardReport>;
}

/**
 * `POST /stop` of the guard, for the page: it depends on neither server nor bridge. The guard goes on without it
 * where the port is taken, and tries again.
 */
export class StopService {
  readonly #options: StopServiceOptions;
  readonly #listeners = new Set<(step: StepReport) => void>();
  readonly #page: ListeningPort;
  #http: HttpService | undefined;
  #isClosed = false;
  #hasToldWhyNot = false;

  constructor(options: StopServiceOptions) {
    this.#options = options;
    this.#page = new ListeningPort('svc-server', options);
  }

  /** Begins to listen, sooner or later. Never throws. */
  open(): void {
    void this.#page.follow();
    this.#listen();
  }

  #listen(): void {
    if (this.#isClosed) return;
    const { env, clock, logger } = this.#options;
    const failed = (thrown: unknown) => {
      if (!this.#hasToldWhyNot)
        logger.warn(`POST /stop is not served, it is tried again each second: ${messageOf(thrown)}`);
      this.#hasToldWhyNot = true;
      clock.after(RETRY_MS, () => this.#listen());
    };
    try {
      const bind = bindOf(env);
      const http = new HttpService({
        service: GUARD,
        version,
        exposure: {
          ...exposureFrom(env, bind.host),
          pagePort: () => this.#page.port,
          acceptsSession: true,
        },
        clock,
        metrics: new MetricRegistry(),
        randomId: randomUUID,
        log: (line) => logger.info(line),
        logger,
        routes: this.#routes(),
      });
      this.#http = http;
      http.listen(bind.host, bind.port).then(({ url, port }) => {
        logger.info(`stops are taken at POST ${url}/stop`, { url });
        void recordListening(GUARD, port, this.#options);
      }, failed);
    } catch (thrown) {
      failed(thrown);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#page.close();
    this.#http?.destroy();
  }

  /** A step of a safe state that the guard makes has ended. */
  stepEnded(step: StepReport): void {
    for (const listener of this.#listeners) listener(step);
  }

  #routes(): Route[] {
    return [
      route({
        method: 'GET',
        path: '/health',
        summary: 'The guard takes stops',
        access: 'open',
        answer: healthAnswer,
        handler: () => ({ ok: true, status: 'ok', service: GUARD, version, pid: process.pid }),
      }),
      route({
        method: 'POST',
        path: '/stop',
        summary:
          'Makes the rig safe, with or without the bridge: lines begun (at once), step (each) and report; ?by= names the caller, ?id= the stop',
        access: 'loopback',
        ignoresForm: true,
        answerType: NDJSON_TYPE,
        handler: ({ request }) => {
          const { searchParams } = new URL(request.url ?? '', 'http://guard');
          const by =
            searchParams.get('by')?.trim().slice(0, LONGEST_NAME) ||
            (request.socket.remoteAddress ?? 'unknown');
          const id = stopIdOf(searchParams.get('id'));
          return ndjsonStream(this.#stop({ by: by.replace(/\s+/g, ' '), id }));
        },
      }),
    ];
  }

  /** It is begun here and not with the first line that the client takes. */
  #stop(asked: StopRequest): AsyncIterable<object> {
    const { clock, stop } = this.#options;
    const lines: object[] = [{ event: 'begun', at: new Date(clock.now()).toISOString(), by: asked.by }];
    const seen = new Set<string>();
    let wake = () => {};
    let isOver = false;
    const add = (step: StepReport) => {
      seen.add(step.name);
      lines.push({ event: 'step', ...step });
      wake();
    };
    this.#listeners.add(add);
    void stop(asked).then((report) => {
      this.#listeners.delete(add);
      // What the bridge has done it tells at its end.
      for (const step of report.steps) if (!seen.has(step.name)) add(step);
      lines.push({ event: 'report', ...report });
      isOver = true;
      wake();
    });
    return (async function* () {
      for (;;) {
        for (let line = lines.shift(); line; line = lines.shift()) yield line;
        if (isOver) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (lines.length > 0 || isOver) resolve();
        });
      }
    })();
  }
}

/** Where the page is bound wider, so is its stop. @throws StartRefusedError */
const bindOf = (env: Environment): BindOptions =>
  bindOptions({
    flags: {},
    env: { ...env, SVC_GUARD_HOST: env.SVC_GUARD_HOST || env.SVC_API_HOST },
    prefix: 'SVC_GUARD',
    defaultPort: RIG_PORTS['svc-guard'][0],
  });
