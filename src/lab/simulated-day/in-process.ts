import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingHttpHeaders, request, type Server } from 'node:http';
import { Duplex } from 'node:stream';

/** One end of a connection that never leaves this process: no kernel, no time of the machine. */
class End extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  readonly localAddress = '127.0.0.1';
  other: End | undefined;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.other?.push(chunk);
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.other?.destroy();
    done(error);
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/**
 * The HTTP server of a service that listens in this process. A first request over its real port shows it.
 * @param url as the service has bound it
 */
export async function serverAt(url: string): Promise<Server> {
  const { port } = new URL(url);
  let found: Server | undefined;
  const onRequest = (message: unknown) => {
    const { server } = message as { server: Server };
    const address = server.address();
    if (typeof address === 'object' && String(address?.port) === port) found = server;
  };
  subscribe('http.server.request.start', onRequest);
  try {
    await (await fetch(`${url}/health`, { headers: { connection: 'close' } })).arrayBuffer();
  } finally {
    unsubscribe('http.server.request.start', onRequest);
  }
  if (!found) throw new Error(`no server of this process answered at ${url}`);
  return found;
}

export interface Exchanged {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One request with node's own HTTP on both sides. Rejects when the signal aborts: the connection is cut then. */
export function exchange(
  server: Server,
  {
    method,
    path,
    headers,
    body,
    signal,
  }: {
    method: string;
    path: string;
    headers: Readonly<Record<string, string>>;
    body?: string;
    signal?: AbortSignal | undefined;
  },
): Promise<Exchanged> {
  const [here, there] = [new End(), new End()];
  here.other = there;
  there.other = here;
  here.on('error', () => {});
  there.on('error', () => {});
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        method,
        path,
        headers: { host: '127.0.0.1', ...headers, connection: 'close' },
        createConnection: () => here,
        ...(signal ? { signal } : {}),
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        answer.once('error', reject);
      },
    );
    outgoing.once('error', reject);
    if (body !== undefined) outgoing.write(body);
    outgoing.end();
    server.emit('connection', there);
  });
}
