import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { reasonOf } from '../errors/coded-error.ts';
import { ConfigError } from './config-error.ts';
import { type FileConfig, fileSchema } from './file-schema.ts';
import { schemaFaults } from './schema-faults.ts';

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
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const fault = { path: 'file', value: null, message: `cannot be read: ${reasonOf(cause)}` };
    throw new ConfigError(path, [fault], cause);
  }
}

/** @param path used in messages only. @throws ConfigError */
export function parseConfig(source: string, path: string): FileConfig {
  const document = parseDocument(source);
  if (document.errors.length > 0) {
    const faults = document.errors.map((error) => {
      const at = error.linePos?.[0];
      return {
        path: at ? `line ${at.line}, column ${at.col}` : 'file',
        value: null,
        message: error.message.split('\n')[0] ?? error.code,
      };
    });
    throw new ConfigError(path, faults);
  }
  const data: unknown = document.toJS() ?? {};
  const result = fileSchema.safeParse(data);
  if (!result.success) throw new ConfigError(path, schemaFaults(result.error, fileSchema, data));
  return result.data;
}
