import { configStampSchema } from '../../lib/config/config-stamp.ts';
import { loadConfig } from '../../rig/configuration/load-config.ts';
import { serviceHash } from '../../rig/configuration/sections.ts';
import type { Io } from '../io/io.ts';

const LIMIT_MS = 1000;
const BRIDGE = 'svc-bridge';

/**
 * What svcctl and the bridge it talks to do not agree about, in one sentence; undefined when both run with the same, or when the
 * bridge does not say: the run itself tells then.
 */
export async function configDifference(
  bridge: string,
  { env, cwd, fetch, clock }: Io,
): Promise<string | undefined> {
  const limit = new AbortController();
  const cancel = clock.after(LIMIT_MS, () => limit.abort());
  try {
    const response = await fetch(`${bridge}/health`, { signal: limit.signal });
    const { configuration } = (await response.json()) as Record<string, unknown>;
    const { data: stamp } = configStampSchema.safeParse(configuration);
    if (stamp === undefined) return undefined;
    const { path = null, file } = loadConfig({ env, cwd });
    const isSame = stamp.sha256 === serviceHash(file, BRIDGE);
    if (isSame && (path === stamp.file || stamp.file === null)) return undefined;
    const own = path ?? 'no svc.yaml (the defaults)';
    if (isSame)
      return `svcctl reads ${own}, ${BRIDGE} ${stamp.file}: names and limits are the same, calibrations may differ; set SVC_CONFIG_PATH=${stamp.file}`;
    if (path === stamp.file)
      return `${BRIDGE} runs with an older ${own}, loaded ${stamp.loaded_at}: svcctl config apply`;
    return `svcctl reads ${own}, ${BRIDGE} at ${bridge} runs with ${stamp.file ?? 'the defaults'}, and they differ; ${stamp.file === null ? 'start the bridge with the same file' : `set SVC_CONFIG_PATH=${stamp.file}`}`;
  } catch {
    return undefined;
  } finally {
    cancel();
  }
}
