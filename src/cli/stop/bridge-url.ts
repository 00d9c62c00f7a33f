import { firmwareUrl } from '../options/url.ts';
import type { RigEnvironment } from './rig-environment.ts';

/**
 * The bridge: as named, else as SVC_FIRMWARE_URL or FIRMWARE_URL say, else where this rig's own bridge listens.
 * @throws CliError exit code 2 for what is no address
 */
export function bridgeUrl(option: string | undefined, env: RigEnvironment): string {
  const port = Number(env.SVC_BRIDGE_PORT);
  const isNamed = option !== undefined || env.SVC_FIRMWARE_URL || env.FIRMWARE_URL;
  // With port 0 it took any: only the guard knows which.
  if (isNamed || !Number.isInteger(port) || port <= 0) return firmwareUrl(option, env);
  return `http://127.0.0.1:${port}`;
}
