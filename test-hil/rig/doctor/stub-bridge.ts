import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './doctor-rig.ts';

/** What a bridge answers, for states that no device here can bring about. */
export interface BridgeAnswers {
  bridge?: Json;
  health?: Json;
  /** Undefined: identify fails. */
  identify?: Json | undefined;
}

const REAL = { mode: 'real', ok: true, bench: false, components: {} };

/** Answers the three questions of a diagnosis. Runs `work` with its address. */
export async function withStubBridge(
  { bridge = {}, health = {}, ...rest }: BridgeAnswers,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const identify =
    'identify' in rest
      ? rest.identify
      : { mode: 'real', detected: 0, total: 0, adapters: [], diagnostics: {} };
  const answers: Record<string, Json | undefined> = {
    '/health': { ok: true, status: 'ok', service: 'svc-bridge', mode: 'real', pid: 0, ...bridge },
    '/api/v1/hardware/health': { ...REAL, ...health },
    '/api/v1/hardware/identify': identify,
  };
  const server = createServer((request, response) => {
    const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
    response.writeHead(answer ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { detail: 'identify failed' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
