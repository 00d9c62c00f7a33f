import type { Plugin } from '../configuration/types.ts';
import { kindOf } from '../device-kinds/index.ts';

const TIMEOUT_MS = 2000;

/**
 * The device that a service owns itself, as a plugin entry: from the environment, for in `svc.yaml` the plugin of the
 * same name leads to the service.
 *
 * @returns undefined when the environment does not say where the device is
 * @throws StartRefusedError naming variable, value and remedy
 */
export function ownedPlugin(
  id: string,
  env: Readonly<Record<string, string | undefined>>,
): Plugin | undefined {
  const kind = kindOf(id, undefined);
  const connection = kind?.owner?.connection(env);
  if (!kind || !connection) return undefined;
  return {
    id,
    kind: kind.kind,
    isActuator: 'safeState' in kind,
    enabled: true,
    connection,
    fault: undefined,
    timeoutMs: TIMEOUT_MS,
    retryCount: 1,
  };
}
