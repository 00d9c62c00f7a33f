import { usageError } from '../errors/cli-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_FIRMWARE_URL = 'http://127.0.0.1:8202';
const DEFAULT_SERVER_URL = 'http://127.0.0.1:8200';
const DEFAULT_BENCH_URL = 'http://127.0.0.1:8290';

/** `--firmware-url`, else SVC_FIRMWARE_URL, FIRMWARE_URL, the bridge of this machine. */
export function firmwareUrl(option: string | undefined, env: Environment): string {
  if (option !== undefined) return baseUrl('--firmware-url', option);
  if (env.SVC_FIRMWARE_URL) return baseUrl('SVC_FIRMWARE_URL', env.SVC_FIRMWARE_URL);
  if (env.FIRMWARE_URL) return baseUrl('FIRMWARE_URL', env.FIRMWARE_URL);
  return DEFAULT_FIRMWARE_URL;
}

/** `--server-url`, else SVC_SERVER_URL, the API server of this machine. */
export function serverUrl(option: string | undefined, env: Environment): string {
  if (option !== undefined) return baseUrl('--server-url', option);
  if (env.SVC_SERVER_URL) return baseUrl('SVC_SERVER_URL', env.SVC_SERVER_URL);
  return DEFAULT_SERVER_URL;
}

/** `--bench-url`, else SVC_BENCH_URL, the bench of this machine. */
export function benchUrl(option: string | undefined, env: Environment): string {
  if (option !== undefined) return baseUrl('--bench-url', option, DEFAULT_BENCH_URL);
  return env.SVC_BENCH_URL
    ? baseUrl('SVC_BENCH_URL', env.SVC_BENCH_URL, DEFAULT_BENCH_URL)
    : DEFAULT_BENCH_URL;
}

/** SVC_LUNG_MOTOR_URL; without it the bridge alone moves the lung. */
export const lungUrl = (env: Environment): string | undefined =>
  env.SVC_LUNG_MOTOR_URL ? baseUrl('SVC_LUNG_MOTOR_URL', env.SVC_LUNG_MOTOR_URL) : undefined;

/** @throws CliError exit code 2 for what is not an address */
export function baseUrl(place: string, text: string, example = DEFAULT_FIRMWARE_URL): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === '')
    return text.replace(/\/+$/, '');
  throw usageError(`${place} "${text}" is not the base of an http address: write for example ${example}`);
}
