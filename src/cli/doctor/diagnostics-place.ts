import type { FirmwareAddress } from '../../diagnostics/firmware-report.ts';
import { HostRoot } from '../../diagnostics/host/host-root.ts';
import { isLocalUrl } from '../../lib/http/loopback.ts';
import type { Io } from '../io/io.ts';

import { bridgeUrl, type RigEnvironment, rigEnvironment } from '../stop/rig-environment.ts';

/** The rig that a diagnosis is of: this machine, its variables and the address of its bridge. */
export interface DiagnosticsPlace {
  host: HostRoot;
  env: RigEnvironment;
  firmware: FirmwareAddress;
}

/** @param url `--firmware-url`. @throws CliError exit code 2 for what is no address */
export function diagnosticsPlace(url: string | undefined, io: Io): DiagnosticsPlace {
  const env = rigEnvironment(io);
  const address = bridgeUrl(url, env);
  return {
    host: new HostRoot(io.env.SVC_HOST_ROOT || '/'),
    env,
    firmware: { url: address, token: env.SVC_API_TOKEN, clock: io.clock },
  };
}

/** `http://127.0.0.1:8202 (local)` */
export const addressText = (url: string): string => `${url} (${isLocalUrl(url) ? 'local' : 'remote'})`;
