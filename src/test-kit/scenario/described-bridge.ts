import { AnswerTap } from '../../lib/http/answer-tap.ts';
import { NDJSON_TYPE } from '../../lib/http/reply.ts';
import type { Route } from '../../lib/http/route.ts';
import { startTestBridge } from '../services/bridge.ts';

type Json = Record<string, unknown>;

/** Calls whose answers a stand-in takes for its own, with what it has itself in their place. */
const TEMPLATES = {
  health: 'GET /health',
  hardwareHealth: 'GET /api/v1/hardware/health',
  identify: 'GET /api/v1/hardware/identify',
  state: 'GET /api/v1/state',
  sensor: 'GET /api/v1/hardware/sensor/ai01',
  pump: 'POST /api/v1/hardware/pump?power_pct=0',
  valve: 'POST /api/v1/hardware/valve/valve-1?value=false',
  lungStop: 'POST /api/v1/hardware/lung/stop',
  safeState: 'POST /api/v1/hardware/safe-state',
} as const;

/** The bridge as it describes itself, and as it answers in mock mode. */
export interface DescribedBridge {
  templates: Readonly<Record<keyof typeof TEMPLATES, Json>>;
  /**
   * Notes what a stand-in answers in the bridge's place. The runner compares it with the bridge's description, as it does with
   * the answers of every service: a stand-in that answers what the bridge never would makes its test red (SVC-062).
   * @param path without query
   */
  note(method: string, path: string, status: number, body: unknown): void;
}

let described: Promise<DescribedBridge> | undefined;

export function describedBridge(): Promise<DescribedBridge> {
  described ??= describe();
  return described;
}

async function describe(): Promise<DescribedBridge> {
  const bridge = await startTestBridge();
  const answers: Record<string, Json> = {};
  for (const [name, line] of Object.entries(TEMPLATES)) {
    const { status, body } = await bridge.call(line);
    if (status !== 200) throw new Error(`${line} of the bridge was answered with ${status}`);
    answers[name] = body;
  }
  const { body: description } = await bridge.call('GET /openapi.json');
  await bridge.shutDown('described');
  const tap = AnswerTap.of(() => description);
  // The first stack reads the source map of the whole test, a quarter of a second: not within a lease of a test.
  void new Error('first').stack;
  const routes = Object.entries(description.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase() as Route['method'],
      paths: [path.replace(/\{(\w+)\}/g, ':$1')],
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );
  return {
    templates: answers as DescribedBridge['templates'],
    note: (method, path, status, body) => {
      const good = typeof body === 'string' ? NDJSON_TYPE : 'application/json';
      const type = status < 400 ? good : 'application/problem+json';
      const route = routes.find((one) => one.method === method && one.pattern.test(path));
      tap?.note(route, { status, body, headers: { 'content-type': type } });
    },
  };
}
