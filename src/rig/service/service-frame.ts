import { randomUUID } from 'node:crypto';
import process from 'node:process';
import type { Clock } from '../../lib/clock/clock.ts';
import type { ConfigStamp } from '../../lib/config/config-stamp.ts';
import { exposureFrom } from '../../lib/http/exposure.ts';
import { HttpService, type HttpServiceOptions } from '../../lib/http/http-service.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import type { LockHolder } from '../../lib/lock/lock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { version } from '../../lib/version.ts';
import type { ServiceIdentity } from './answer-members.ts';
import type { ProgramContext } from './program.ts';

/** What every service that owns a device is made of, whatever the device. */
export interface ServiceFrame {
  metrics: MetricRegistry;
  /** For locks. */
  identity: () => LockHolder;
  /** For `/health`. */
  health: ServiceIdentity;
  /** @throws ListenError */
  listen(
    parts: Pick<HttpServiceOptions, 'routes' | 'translate' | 'statusOverrides' | 'problemMembers' | 'logger'>,
  ): Promise<{ url: string; port: number; end: (close: () => Promise<boolean>) => Promise<boolean> }>;
}

export interface ServiceFrameOptions {
  service: string;
  env: ProgramContext['env'];
  bind: ProgramContext['bind'];
  clock: Clock;
  logger: Logger;
  configuration?: ConfigStamp | undefined;
}

/** What was refused at its end still has to leave this machine. */
const LAST_ANSWERS_MS = 50;

/** @throws StartRefusedError for an exposure that is not allowed */
export function serviceFrame({
  service,
  env,
  bind,
  clock,
  logger,
  configuration,
}: ServiceFrameOptions): ServiceFrame {
  const exposure = exposureFrom(env, bind.host);
  if (exposure.insecure)
    logger.warn(`${bind.host} is reachable without a token (SVC_ALLOW_INSECURE=1)`, { host: bind.host });
  const since = new Date(clock.now()).toISOString();
  const { pid } = process;
  const metrics = new MetricRegistry();
  let port: number | null = null;
  return {
    metrics,
    identity: () => ({ service, pid, port, since }),
    health: {
      service,
      version,
      pid,
      started_at: since,
      ...(exposure.insecure ? { insecure: true as const } : {}),
    },
    listen: async (parts) => {
      const log = (line: string) => logger.info(line);
      const http = new HttpService({
        service,
        version,
        exposure,
        clock,
        metrics,
        log,
        randomId: randomUUID,
        configuration,
        ...parts,
      });
      const bound = await http.listen(bind.host, bind.port);
      port = bound.port;
      const end = async (close: () => Promise<boolean>) => {
        http.stopAccepting();
        const ok = await close();
        await clock.sleep(LAST_ANSWERS_MS);
        http.destroy();
        return ok;
      };
      return { ...bound, end };
    },
  };
}
