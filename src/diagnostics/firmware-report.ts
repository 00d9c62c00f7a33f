import type { Clock } from '../lib/clock/clock.ts';
import { isLocalUrl } from '../lib/http/loopback.ts';
import { exchangeJson } from '../transports/http/exchange-json.ts';
import { whyNoAnswer } from '../transports/http/http-fault.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A part that could not be collected. */
export interface FailedPart {
  ok: false;
  error: string;
}

export interface FirmwareReport {
  url: string;
  host: string;
  is_local: boolean;
  /** GET /health: the bridge's own state. */
  bridge: Json | FailedPart;
  /** GET /api/v1/hardware/health. */
  health: Json | FailedPart;
  /** GET /api/v1/hardware/identify. */
  identify: Json | FailedPart;
}

export type Scan = 'auto' | 'always' | 'never';

const HEALTH_LIMIT_MS = 5000;
const IDENTIFY_LIMIT_MS = 20_000;
const MAX_BYTES = 4 * 1024 * 1024;

export interface FirmwareAddress {
  url: string;
  token?: string | undefined;
  clock: Clock;
}

export const failed = (part: Json | FailedPart): part is FailedPart => part.ok === false && 'error' in part;

/** One GET of the bridge. A failure is the answer too. */
export async function askFirmware(
  { url, token, clock }: FirmwareAddress,
  path: string,
  timeoutMs: number,
): Promise<Json | FailedPart> {
  try {
    const options = { timeoutMs, maxBytes: MAX_BYTES, clock, ...(token ? { token } : {}) };
    const { status, value } = await exchangeJson(url + path, options);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (status === 200 && isObject) return value as Json;
    const detail = isObject && 'detail' in value ? `: ${String(value.detail)}` : '';
    return { ok: false, error: `GET ${path} returned status ${status}${detail}` };
  } catch (thrown) {
    return { ok: false, error: `GET ${path}: ${whyNoAnswer(thrown)}` };
  }
}

export const hardwareHealth = (address: FirmwareAddress) =>
  askFirmware(address, '/api/v1/hardware/health', HEALTH_LIMIT_MS);

export const identify = (address: FirmwareAddress, scan: Scan) =>
  askFirmware(address, `/api/v1/hardware/identify?scan=${scan}`, IDENTIFY_LIMIT_MS);

/** A bridge that does not answer `/health` is asked nothing more. */
export async function readFirmware(address: FirmwareAddress): Promise<FirmwareReport> {
  const { url } = address;
  const about = { url, host: new URL(url).hostname, is_local: isLocalUrl(url) };
  const bridge = await askFirmware(address, '/health', HEALTH_LIMIT_MS);
  if (failed(bridge)) return { ...about, bridge, health: bridge, identify: bridge };
  const [health, found] = await Promise.all([hardwareHealth(address), identify(address, 'never')]);
  return { ...about, bridge, health, identify: found };
}
