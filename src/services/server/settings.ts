import { resolve } from 'node:path';
import { StartRefusedError } from '../../lib/http/exposure.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the API server finds what it works with. */
export interface ServerSettings {
  scenarioDir: string;
  stateDir: string;
  /** Base of the bridge, without a slash at the end. */
  firmwareUrl: string;
  /** Of the lung service, for bridges without lung routes. */
  lungUrl: string | undefined;
  /** Control port of svc-bench, on this machine; undefined on a rig. */
  benchUrl: string | undefined;
  /** Sent to bridge and lung service. */
  token: string | undefined;
}

/** @throws StartRefusedError */
export function serverSettings(env: Environment, cwd: string): ServerSettings {
  const firmware = env.SVC_FIRMWARE_URL ? 'SVC_FIRMWARE_URL' : 'FIRMWARE_URL';
  return {
    scenarioDir: resolve(cwd, env.SVC_SCENARIO_DIR || 'scenarios'),
    stateDir: stateDirOf(env),
    firmwareUrl: baseUrl(env, firmware) ?? 'http://127.0.0.1:8202',
    lungUrl: baseUrl(env, 'SVC_LUNG_MOTOR_URL'),
    benchUrl: benchUrl(env),
    token: env.SVC_API_TOKEN || undefined,
  };
}

function baseUrl(env: Environment, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    `${url.search}${url.hash}${url.username}${url.password}` === ''
  )
    return text.replace(/\/+$/, '');
  throw new StartRefusedError(
    `${name} ${JSON.stringify(text)} is not the base of an http address; write for example http://127.0.0.1:8202`,
  );
}

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** The bench has no token and is never on another machine. */
function benchUrl(env: Environment): string | undefined {
  const url = baseUrl(env, 'SVC_BENCH_URL');
  if (url === undefined || LOOPBACK.includes(new URL(url).hostname)) return url;
  throw new StartRefusedError(
    `SVC_BENCH_URL ${JSON.stringify(url)} is on another machine; write for example http://127.0.0.1:8290`,
  );
}
