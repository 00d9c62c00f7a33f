import { type ConfigStamp, configStampSchema } from '../../lib/config/config-stamp.ts';
import { loadConfig } from '../../rig/configuration/load-config.ts';
import { serviceHash } from '../../rig/configuration/sections.ts';
import { askService } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';

const LIMIT_MS = 1000;
const BRIDGE = 'svc-bridge';

/**
 * What svcctl and the bridge it talks to do not agree about, in one sentence; undefined when both run with the same, or when the
 * bridge does not say: the run itself tells then.
 */
export async function configDifference(
  bridge: string,
  { env, cwd, clock }: Pick<Io, 'env' | 'cwd' | 'clock'>,
): Promise<string | undefined> {
  const answer = await askService(`${bridge}/health`, { timeoutMs: LIMIT_MS, clock });
  const { data: stamp } = configStampSchema.safeParse(answer?.configuration);
  if (stamp === undefined) return undefined;
  try {
    return difference(bridge, stamp, loadConfig({ env, cwd }));
  } catch {
    return undefined;
  }
}

function difference(
  bridge: string,
  stamp: ConfigStamp,
  { path: found, file }: ReturnType<typeof loadConfig>,
): string | undefined {
  const path = found ?? null;
  const isSame = stamp.sha256 === serviceHash(file, BRIDGE);
  if (isSame && (path === stamp.file || stamp.file === null)) return undefined;
  const own = path ?? 'no svc.yaml (the defaults)';
  if (isSame)
    return `svcctl reads ${own}, ${BRIDGE} ${stamp.file}: names and limits are the same, calibrations may differ; set SVC_CONFIG_PATH=${stamp.file}`;
  if (path === stamp.file)
    return `${BRIDGE} runs with an older ${own}, loaded ${stamp.loaded_at}: svcctl config apply`;
  return `svcctl reads ${own}, ${BRIDGE} at ${bridge} runs with ${stamp.file ?? 'the defaults'}, and they differ; ${stamp.file === null ? 'start the bridge with the same file' : `set SVC_CONFIG_PATH=${stamp.file}`}`;
}
