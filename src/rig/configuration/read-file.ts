import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../../lib/config/config-error.ts';
import { plainYaml } from '../../lib/config/plain-yaml.ts';
import { readText } from '../../lib/config/read-text.ts';
import { schemaFaults } from '../../lib/config/schema-faults.ts';
import { type FileConfig, fileSchema } from './file-schema.ts';

const SYSTEM_PATH = '/etc/svc/svc.yaml';

/**
 * The file that counts: SVC_CONFIG_PATH, else `./svc.yaml`, else `/etc/svc/svc.yaml`; undefined when there is none.
 * A path that was asked for by name must exist. @throws ConfigError
 */
export function findConfigFile(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  systemPath = SYSTEM_PATH,
): string | undefined {
  if (env.SVC_CONFIG_PATH) {
    const path = resolve(cwd, env.SVC_CONFIG_PATH);
    if (existsSync(path)) return path;
    const fault = { path: 'SVC_CONFIG_PATH', value: env.SVC_CONFIG_PATH, message: 'no such file' };
    throw new ConfigError('environment', [fault]);
  }
  return [resolve(cwd, 'svc.yaml'), systemPath].find((path) => existsSync(path));
}

/** Reads and checks one `svc.yaml`. @throws ConfigError with all faults */
export function readConfigFile(path: string): FileConfig {
  return parseConfig(readConfigText(path), path);
}

/** @throws ConfigError */
export const readConfigText = (path: string): string =>
  readText(path, 'correct it, or name another file with SVC_CONFIG_PATH');

/** @param path used in messages only. @throws ConfigError */
export function parseConfig(source: string, path: string): FileConfig {
  const read = plainYaml(source);
  if ('faults' in read) throw new ConfigError(path, read.faults);
  const data = read.data ?? {};
  const result = fileSchema.safeParse(data);
  if (!result.success) throw new ConfigError(path, schemaFaults(result.error, fileSchema, data));
  return result.data;
}
