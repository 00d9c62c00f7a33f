import { Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { reasonOf } from '../../lib/errors/reason.ts';

export interface TextRequest {
  readonly method: string;
  /** http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A read is sent once more when the connection that was kept for it breaks before any answer. */
  readonly isAskedAgain: boolean;
  /** Largest answer that is read. */
  readonly maxBytes: number;
  /** Called with each line of an answer with status 200 as soon as it is there; the last may lack its end. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export interface TextAnswer {
  readonly status: number;
  /** Where a redirect leads; it is not followed. */
  readonly location: string | null;
  /** UTF-8; what is not valid in it is replaced. Empty where `onLine` had the lines. */
  readonly text: string;
}

/** One exchange on its way. */
export interface Exchange {
  /** Rejects with the system's error, one that says why the answer is not whole, or the reason of a `cancel`. */
  readonly answer: Promise<TextAnswer>;
  /** Breaks the connection, unless the answer is there. What was asked for may have been done. */
  cancel(reason: unknown): void;
}

/** Many servers close a connection that is idle for 5 s. */
const IDLE_MS = 4000;

/** Reads are asked over connections that are kept; what acts takes a new one, so that no broken old one leaves open whether it did. */
const kept = new Agent({ keepAlive: true, timeout: IDLE_MS });

/**
 * Sends a request, without a time limit of its own. Over `fetch` the same costs three times the processor time, most of all for its signal: a run that samples 16
 * sensors at 100 Hz asks 1,600 times a second.
 */
export function exchangeText(asked: TextRequest): Exchange {
  const { url, method, headers } = asked;
  let settled = false;
  let request: ClientRequest | undefined;
  let refuse: (reason: unknown) => void = () => {};
  const cancel = (reason: unknown): void => {
    if (settled) return;
    settled = true;
    request?.destroy();
    refuse(reason);
  };
  const answer = new Promise<TextAnswer>((resolve, reject) => {
    refuse = reject;
    const settle = (whole: TextAnswer) => {
      settled = true;
      resolve(whole);
    };
    const send = (open: typeof plainRequest, agent: Agent | false) => {
      if (settled) return;
      let sent: ClientRequest;
      try {
        sent = open(url, { method, headers, agent });
      } catch (cause) {
        cancel(cause);
        return;
      }
      request = sent;
      let isAnswered = false;
      const fail = (cause: unknown) => {
        // The one that was sent in its place, or its answer, says how it went.
        if (request !== sent || isAnswered) return;
        if (asked.isAskedAgain && sent.reusedSocket) send(open, false);
        else cancel(cause);
      };
      sent.on('error', fail);
      // Without an error too: after an answer that changes the protocol.
      sent.on('close', () => fail(new Error('the connection was closed without an answer')));
      sent.on('response', (response) => {
        isAnswered = true;
        readAnswer(response, asked, cancel, settle);
      });
      sent.end(asked.body);
    };
    if (!/^https:/i.test(url)) send(plainRequest, method === 'GET' && kept);
    // Loaded at its first use: the services of a rig talk plain HTTP.
    else import('node:https').then((secure) => send(secure.request, false), cancel);
  });
  return { answer, cancel };
}

function readAnswer(
  response: IncomingMessage,
  { maxBytes, onLine }: TextRequest,
  cancel: (reason: unknown) => void,
  settle: (answer: TextAnswer) => void,
): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  const lines = onLine && response.statusCode === 200 ? new Lines(onLine) : undefined;
  response.on('data', (part: Buffer) => {
    bytes += part.length;
    try {
      if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
      if (lines) lines.take(part);
      else parts.push(part);
    } catch (cause) {
      cancel(cause);
    }
  });
  response.on('error', (cause) =>
    cancel(new Error(`the connection broke off after ${bytes} bytes of the answer: ${reasonOf(cause)}`)),
  );
  response.on('end', () => {
    try {
      lines?.end();
    } catch (cause) {
      cancel(cause);
      return;
    }
    settle({
      status: response.statusCode ?? 0,
      location: response.headers.location ?? null,
      text: (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8'),
    });
  });
}

/** Cuts what comes into lines. */
class Lines {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  take(part: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(part)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line);
  }

  end(): void {
    const rest = this.#rest + this.#decoder.end();
    if (rest !== '') this.#onLine(rest);
  }
}
