import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Bench } from '../../bench/bench.ts';
import { BenchError } from '../../bench/bench-error.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { HttpService } from '../../lib/http/http-service.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { version } from '../../lib/version.ts';
import { clockRoutes } from './routes/clock.ts';
import { deviceRoutes } from './routes/devices.ts';
import { healthRoutes } from './routes/health.ts';
import { traceRoutes } from './routes/trace.ts';
import { translate } from './translate.ts';

export const SERVICE = 'svc-bench';
const HOST = '127.0.0.1';
const MAX_BODY_BYTES = 65_536;
const FINISH_MS = 200;

export interface BenchControlOptions {
  bench: Bench;
  /** Of the machine, for deadlines. */
  clock: Clock;
  /** One line for people. */
  log: (line: string) => void;
  logger?: Logger;
}

/** The control port of the bench. It has no token and is never bound to another address: it moves nothing real. */
export class BenchControl {
  readonly #http: HttpService;

  constructor({ bench, clock, log, logger }: BenchControlOptions) {
    this.#http = new HttpService({
      service: SERVICE,
      version,
      exposure: {
        token: undefined,
        insecure: false,
        allowedOrigins: [],
        allowedHosts: [],
        maxBodyBytes: MAX_BODY_BYTES,
      },
      clock,
      metrics: new MetricRegistry(),
      log,
      ...(logger ? { logger } : {}),
      translate,
      problemMembers: { reason: z.string() },
      randomId: randomUUID,
      routes: [
        ...healthRoutes(bench, { service: SERVICE, version, pid: process.pid }),
        ...deviceRoutes(bench),
        ...traceRoutes(bench, clock),
        ...clockRoutes(bench),
      ],
    });
  }

  /** @param port 0 for any free one. @throws BenchError `bench_port_in_use` */
  async listen(port: number): Promise<{ url: string; port: number }> {
    try {
      return await this.#http.listen(HOST, port);
    } catch (cause) {
      const message = `cannot listen on ${HOST}:${port}: ${reasonOf(cause)}; stop the other bench or give --port`;
      throw new BenchError('bench_port_in_use', message, { cause });
    }
  }

  /** Ends in order: answers that are under way and followers of the trace get their end. */
  async end(): Promise<void> {
    await this.#http.close(FINISH_MS);
  }

  /** Readers that wait for the trace are hung up on. */
  close(): void {
    this.#http.destroy();
  }
}
