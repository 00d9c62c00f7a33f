import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { writeDurably } from '../../lib/files/durable-file.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { type ListeningService, RIG_PORTS } from '../profiles/rig-services.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const READ_MS = 1000;

const pathOf = (stateDir: string, service: ListeningService): string =>
  join(stateDir, `listening-${service}.json`);

/** Writes down at which port a service listens, for the others of its rig: its flags are known to it alone. Never rejects. */
export async function recordListening(
  service: ListeningService,
  port: number,
  { stateDir, logger }: { stateDir: string; logger: Logger },
): Promise<void> {
  await writeDurably(pathOf(stateDir, service), `${JSON.stringify({ port })}\n`).catch((thrown: unknown) =>
    logger.warn(
      `the other services cannot see that ${service} listens at port ${port}: ${messageOf(thrown)}`,
    ),
  );
}

/** The port that the environment gives a service, or else its default. A bad value is refused by the service itself. */
export function environmentPort(service: ListeningService, env: Environment): number {
  const [byDefault, variable] = RIG_PORTS[service];
  return Number(env[variable] || byDefault);
}

/** Where another service of this rig listens: as it has written down, or else as the environment says. */
export class ListeningPort {
  readonly #path: string;
  readonly #clock: Clock;
  #port: number;
  #cancel = () => {};
  #isClosed = false;

  constructor(service: ListeningService, parts: { stateDir: string; env: Environment; clock: Clock }) {
    this.#path = pathOf(parts.stateDir, service);
    this.#clock = parts.clock;
    this.#port = environmentPort(service, parts.env);
  }

  /** What was read last: asking it needs no disk. */
  get port(): number {
    return this.#port;
  }

  /** Reads it now and each second from now on. Never rejects. */
  async follow(): Promise<void> {
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    const [, port] = /^\{"port":(\d{1,5})\}$/.exec(text.trim()) ?? [];
    if (port !== undefined) this.#port = Number(port);
    if (!this.#isClosed) this.#cancel = this.#clock.after(READ_MS, () => void this.follow());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }
}
