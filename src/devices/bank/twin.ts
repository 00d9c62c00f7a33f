import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../lib/clock/clock.ts';
import { FrozenCodes } from '../frozen-codes.ts';
import { Knobs } from '../knobs.ts';
import type { TwinListener } from '../twin-event.ts';
import { bankKnobs, bankKnobsSchema } from './knobs.ts';
import { BANK_CHANNELS, BANK_PATH, type BankChannel, RAIL } from './protocol.ts';

/** Volts at the converter per volt at the input, and its full scale. */
const DIVIDER = 4;
const FULL_SCALE_VOLTS = 2.048;

/** A remote ADC bank as a real HTTP server on 127.0.0.1. Its data says that it is a bench. */
export class BankTwin {
  readonly knobs: Knobs<typeof bankKnobsSchema.shape>;
  readonly #clock: Clock;
  readonly #frozen = new FrozenCodes<BankNumbers>();
  readonly #volts: (channel: BankChannel) => number;
  readonly #tell: TwinListener;
  readonly #delays = new Set<() => void>();
  #server: Server | undefined;

  constructor(options: {
    clock: Clock;
    /** Voltage at an input now. Default 0. */
    volts?: (channel: BankChannel) => number;
    listener?: TwinListener;
    knobsChanged?: (patch: Record<string, unknown>) => void;
  }) {
    this.#clock = options.clock;
    this.#volts = options.volts ?? (() => 0);
    this.#tell = options.listener ?? (() => {});
    this.knobs = new Knobs({
      device: 'bank',
      schema: bankKnobsSchema,
      atRest: bankKnobs(),
      ...(options.knobsChanged ? { changed: options.knobsChanged } : {}),
    });
  }

  /** `http://127.0.0.1:<port>` while it listens. */
  get url(): string | undefined {
    const address = this.#server?.address();
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : undefined;
  }

  /** @param port 0 for any free one. @returns the port. Rejects with the operating system's error */
  async open(port = 0): Promise<number> {
    const server = createServer((request, response) => this.#serve(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
    this.#server = server;
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** No process listens afterwards; the one that still waits for an answer is hung up on. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const cancel of this.#delays) cancel();
    this.#delays.clear();
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  /** Knobs at rest. */
  reset(): void {
    this.knobs.reset();
  }

  /** What the bank says now. */
  answer(): unknown {
    const { bank_id, boot_id } = this.knobs.value;
    const channels = BANK_CHANNELS.map((channel) => this.#channel(channel));
    return { success: true, data: { bank_id, boot_id, bench: true, channels } };
  }

  #channel(channel: BankChannel): Record<string, unknown> {
    const { identity, bank_id, missing_age, age_ms } = this.knobs.value;
    const sample = this.#frozen.code(channel, this.knobs.value.freeze, () => this.#sample(channel));
    return {
      channel,
      identity: identity ?? `${bank_id}/ch${channel}`,
      present: true,
      ok: true,
      ...sample,
      saturated: sample.raw === RAIL,
      ...(missing_age ? {} : { age_ms }),
    };
  }

  #sample(channel: BankChannel): BankNumbers {
    const { volts, saturated } = this.knobs.value;
    if (saturated) return convert(Number.POSITIVE_INFINITY);
    const byHand = Array.isArray(volts) ? (volts[channel] ?? null) : volts;
    if (byHand === null) return convert(this.#volts(channel));
    // Reported as it is and not as saturated, so that also the range beyond this converter's can be shown.
    const raw = Math.max(-RAIL, Math.min(RAIL - 1, convert(byHand).raw));
    return { raw, adc_voltage: byHand / DIVIDER, volts: byHand };
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { delay_ms, disconnect } = this.knobs.value;
    const line = Buffer.from(`${request.method} ${request.url}`);
    this.#tell({ kind: 'in', bytes: line });
    const reply = () => {
      if (disconnect) {
        this.#tell({ kind: 'note', note: 'disconnect: hung up' });
        request.socket.destroy();
      } else this.#reply(request, response);
    };
    if (delay_ms === 0) {
      reply();
      return;
    }
    const cancel = this.#clock.after(delay_ms, () => {
      this.#delays.delete(cancel);
      reply();
    });
    this.#delays.add(cancel);
  }

  #reply(request: IncomingMessage, response: ServerResponse): void {
    const { http_status, not_json } = this.knobs.value;
    const path = request.url?.split('?')[0];
    const isAsked = path === BANK_PATH && request.method === 'GET';
    const status = isAsked ? http_status : path === BANK_PATH ? 405 : 404;
    const body = JSON.stringify(isAsked ? this.answer() : { success: false, error: `status ${status}` });
    const text = not_json ? `<html>${body}` : body;
    this.#tell({
      kind: 'out',
      bytes: Buffer.from(text),
      ...(status === 200 ? {} : { note: `status ${status}` }),
    });
    response.writeHead(status, {
      'content-type': not_json ? 'text/html' : 'application/json',
      ...(status >= 300 && status < 400 ? { location: BANK_PATH } : {}),
    });
    response.end(text);
  }
}

interface BankNumbers {
  raw: number;
  adc_voltage: number;
  volts: number;
}

/** What the converter makes of a voltage at the input; it ends at +-8.192 V. */
function convert(volts: number): BankNumbers {
  const counts = Math.round((volts / DIVIDER / FULL_SCALE_VOLTS) * (RAIL + 1));
  const raw = Math.max(-RAIL - 1, Math.min(RAIL, counts));
  if (raw === RAIL) return { raw, adc_voltage: FULL_SCALE_VOLTS, volts: FULL_SCALE_VOLTS * DIVIDER };
  const adcVoltage = (raw * FULL_SCALE_VOLTS) / (RAIL + 1);
  return { raw, adc_voltage: adcVoltage, volts: adcVoltage * DIVIDER };
}
