import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import type { Rig } from '../../rig/hardware/ports.ts';
import type { ReadThrottled } from '../../rig/hardware/power.ts';
import type { OperatorStopRecord } from '../../rig/safe-state/operator-stop-record.ts';
import { buildRig } from '../../services/bridge/build-rig.ts';
import {
  openRig,
  type RigSurroundings,
  type RunningBridge,
  startBridge,
} from '../../services/bridge/start-bridge.ts';

export interface TestBridgeOptions {
  env?: Record<string, string>;
  yaml?: string;
  clock?: Clock;
  buildRig?: (surroundings: RigSurroundings) => Rig;
  readThrottled?: ReadThrottled;
  operatorStopRecord?: OperatorStopRecord;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface TestBridge extends RunningBridge {
  logged: string[];
  /** Sends one request, for example `call('POST /api/v1/lease', { body: {...} })`. */
  call(
    line: string,
    options?: { body?: unknown; lease?: string; headers?: Record<string, string> },
  ): Promise<Answer>;
}

/** A bridge on a free port, for tests. */
export async function startTestBridge(options: TestBridgeOptions = {}): Promise<TestBridge> {
  const env = options.env ?? {};
  const logged: string[] = [];
  const running = await startBridge({
    config: mergeConfig(parseConfig(options.yaml ?? '', 'svc.yaml'), env),
    bind: { host: '127.0.0.1', port: 0 },
    env,
    clock: options.clock ?? systemClock,
    log: (line) => logged.push(line),
    buildRig: options.buildRig ?? buildRig,
    readThrottled: options.readThrottled ?? (async () => undefined),
    ...(options.operatorStopRecord ? { operatorStopRecord: options.operatorStopRecord } : {}),
  });
  await openRig(running);
  return { ...running, logged, call: (line, request) => call(running.url, line, request) };
}

async function call(
  url: string,
  line: string,
  { body, lease, headers = {} }: { body?: unknown; lease?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(lease === undefined ? {} : { 'x-lease-id': lease }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
}
