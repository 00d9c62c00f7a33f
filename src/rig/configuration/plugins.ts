import type { ConfigFault } from '../../lib/config/config-error.ts';
import type { DeviceKind } from '../device-kinds/device-kind.ts';
import { DEVICE_KINDS, FIXED_NAMES, kindOf } from '../device-kinds/index.ts';
import { readConnection } from './connection.ts';
import type { FileConfig } from './file-schema.ts';
import type { LinesFile } from './line-schema.ts';
import type { PluginFile } from './plugins-schema.ts';
import type { Plugin } from './types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Entry extends Omit<PluginFile, 'kind' | 'connection_params'> {
  kind: DeviceKind;
  connection_params: Record<string, unknown>;
}

/**
 * The plugins of the file, or the defaults when it names none, with the environment on top (SVC-048). A bad entry of
 * the file stays visible as a plugin with a fault; a bad variable goes to `faults` and stops the start.
 */
export function resolvePlugins(
  file: FileConfig['plugins'],
  env: Environment,
  faults: ConfigFault[],
  lines: LinesFile = {},
): Plugin[] {
  const entries = new Map(file ? entriesOf(file) : entriesWithoutFile());
  for (const kind of DEVICE_KINDS)
    for (const { name, plugin, type, parameter, isNumber } of kind.variables) {
      const value = env[name];
      if (value === undefined || value === '') continue;
      let entry = entries.get(plugin);
      if (entry?.connection_type !== type) {
        entry = { ...(entry ?? entryOf(kind, type, {})), connection_type: type, connection_params: {} };
        entries.set(plugin, entry);
      }
      if (Object.hasOwn(entry.connection_params, 'line')) {
        const message = `plugins.${plugin} is on a line; change lines.${entry.connection_params.line} in svc.yaml, or take this variable out`;
        faults.push({ path: name, value: JSON.stringify(value), message });
        continue;
      }
      entry.connection_params[parameter] = isNumber && /^\d+$/.test(value) ? Number(value) : value;
      const result = readConnection(plugin, kind, type, entry.connection_params);
      const where = `plugins.${plugin}.connection_params.${parameter} = `;
      const fault =
        'fault' in result ? result.fault.split('; ').find((text) => text.startsWith(where)) : undefined;
      if (fault)
        faults.push({
          path: name,
          value: JSON.stringify(value),
          message: fault.slice(fault.indexOf(': ') + 2),
        });
    }
  return [...entries].map(([id, entry]) => toPlugin(id, entry, lines));
}

/** Those of the file: first the names that have a kind of their own, in the order of the kinds. */
function entriesOf(file: NonNullable<FileConfig['plugins']>): [string, Entry][] {
  const place = (name: string) => (FIXED_NAMES as readonly string[]).indexOf(name) >>> 0;
  return Object.entries(file)
    .sort(([one], [other]) => place(one) - place(other))
    .flatMap(([name, given]): [string, Entry][] => {
      const kind = given && kindOf(name, given.kind);
      // The schema of the file lets no other pass.
      if (!kind) return [];
      return [[name, { ...given, kind, connection_params: { ...given.connection_params } }]];
    });
}

/** What a rig without a file has. */
const entriesWithoutFile = (): [string, Entry][] =>
  DEVICE_KINDS.flatMap((kind) =>
    Object.entries(kind.withoutFile).map(([name, { type, params }]): [string, Entry] => [
      name,
      entryOf(kind, type, params),
    ]),
  );

function entryOf(kind: DeviceKind, type: string, params: Readonly<Record<string, unknown>>): Entry {
  return {
    kind,
    enabled: true,
    connection_type: type,
    connection_params: { ...params },
    timeout: 2.0,
    retry_count: 1,
  };
}

function toPlugin(id: string, entry: Entry, lines: LinesFile): Plugin {
  const { kind } = entry;
  const result = readConnection(id, kind, entry.connection_type, entry.connection_params, lines);
  return {
    id,
    kind: kind.kind,
    isActuator: 'safeState' in kind,
    enabled: entry.enabled,
    connection: 'connection' in result ? result.connection : undefined,
    fault: 'fault' in result ? result.fault : undefined,
    timeoutMs: entry.timeout * 1000,
    retryCount: entry.retry_count,
    ...(entry.range ? { range: entry.range } : {}),
  };
}
