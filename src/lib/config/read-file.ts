import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { reasonOf } from '../errors/coded-error.ts';
import { ConfigError } from './config-error.ts';
import { type FileConfig, fileSchema } from './file-schema.ts';
import { plainYaml } from './plain-yaml.ts';
import { schemaFaults } from './schema-faults.ts';

/** An empty configuration, by name. */
const NO_FILE = '/dev/null';
const MAX_BYTES = 1024 * 1024;
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
  return parseConfig(readText(path), path);
}

/** @throws ConfigError */
export function readText(path: string): string {
  const fault = (message: string) => [{ path: 'file', value: null, message }];
  let bytes: Uint8Array;
  try {
    const found = statSync(path);
    // What never ends, or waits for a writer, would keep the service from its refusal.
    if (!found.isFile() && path !== NO_FILE) throw new Error('it is not a regular file');
    if (found.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    bytes = readFileSync(path);
  } catch (cause) {
    const message = `cannot be read: ${reasonOf(cause)}; correct it, or name another file with SVC_CONFIG_PATH`;
    throw new ConfigError(path, fault(message), cause);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError(path, fault('is not UTF-8 text; save it as UTF-8'), cause);
  }
}

/** @param path used in messages only. @throws ConfigError */
export function parseConfig(source: string, path: string): FileConfig {
  const read = plainYaml(source);
  if ('faults' in read) throw new ConfigError(path, read.faults);
  const data = read.data ?? {};
  const result = fileSchema.safeParse(data);
  if (!result.success) throw new ConfigError(path, schemaFaults(result.error, fileSchema, data));
  return result.data;
}
