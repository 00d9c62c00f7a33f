import { Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { reasonOf } from '../../lib/errors/reason.ts';

export interface TextRequest {
  readonly method: string;
  /** http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Largest answer that is read. */
  readonly maxBytes: number;
}

export interface TextAnswer {
  readonly status: number;
  /** Where a redirect leads; it is not followed. */
  readonly location: string | null;
  /** UTF-8; what is not valid in it is replaced. */
  readonly text: string;
}

/** One exchange on its way. */
export interface Exchange {
  /** Rejects with the system's error, one that says why the answer is not whole, or the reason of a `cancel`. */
  readonly answer: Promise<TextAnswer>;
  /** Breaks the connection, unless the answer is there. What was asked for may have been done. */
  cancel(reason: unknown): void;
}

/** Reads are asked over connections that are kept; what acts takes a new one, so that no broken old one leaves open whether it did. */
const kept = new Agent({ keepAlive: true });

/**
 * Sends a request once, without a time limit of its own. Over `fetch` the same costs three times the processor time, most of all
 * for its signal: a run that samples 16 sensors at 100 Hz asks 1,600 times a second.
 */
export function exchangeText(asked: TextRequest): Exchange {
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
    const send = (open: typeof plainRequest, agent: Agent | false) => {
      if (settled) return;
      try {
        request = open(asked.url, { method: asked.method, headers: asked.headers, agent });
      } catch (cause) {
        cancel(cause);
        return;
      }
      const onClose = () => cancel(new Error('the connection was closed without an answer'));
      request.on('error', cancel);
      // Without an error too: after an answer that changes the protocol.
      request.on('close', onClose);
      request.on('response', (response) => {
        request?.off('close', onClose);
        readAnswer(response, asked.maxBytes, cancel, (whole) => {
          settled = true;
          resolve(whole);
        });
      });
      request.end(asked.body);
    };
    if (!asked.url.startsWith('https:')) send(plainRequest, asked.method === 'GET' && kept);
    // Loaded at its first use: the services of a rig talk plain HTTP.
    else import('node:https').then((secure) => send(secure.request, false), cancel);
  });
  return { answer, cancel };
}

function readAnswer(
  response: IncomingMessage,
  maxBytes: number,
  cancel: (reason: unknown) => void,
  settle: (answer: TextAnswer) => void,
): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  response.on('data', (part: Buffer) => {
    bytes += part.length;
    parts.push(part);
    if (bytes > maxBytes) cancel(new Error(`the answer has more than ${maxBytes} bytes`));
  });
  response.on('error', (cause) =>
    cancel(
      new Error(`the connection broke off after ${bytes} bytes of the answer: ${reasonOf(cause)}`, { cause }),
    ),
  );
  response.on('end', () =>
    settle({
      status: response.statusCode ?? 0,
      location: response.headers.location ?? null,
      text: (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8'),
    }),
  );
}
