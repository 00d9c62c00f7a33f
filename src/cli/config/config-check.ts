import { resolve } from 'node:path';
import { ConfigError } from '../../lib/config/config-error.ts';
import { loadRigConfig } from '../../rig/configuration/load-rig-config.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { rigPlace } from '../profile/rig-place.ts';
import { serviceRows } from '../services/service-rows.ts';
import { requireUsable, rigFile } from './rig-file.ts';

export interface ConfigOptions {
  json?: true;
}

/**
 * `svcctl config check [file]`: whether every service would start with it, and which of this rig run with an older one.
 * @returns 0; 2 for a file with faults, which are on stderr
 */
export async function configCheck(
  file: string | undefined,
  { json }: ConfigOptions,
  io: Io,
): Promise<number> {
  const write = (document: object, text: string) =>
    io.stdout.write(`${json ? JSON.stringify(document) : text}\n`);
  try {
    if (file !== undefined) {
      const path = resolve(io.cwd, file);
      requireUsable(loadRigConfig({ env: { SVC_CONFIG_PATH: path }, cwd: io.cwd }));
      write({ ok: true, file: path }, `${path}: valid`);
      return EXIT.ok;
    }
    const place = rigPlace(io);
    const { path = null } = rigFile(place);
    const rows = (await place.supervisor.isRunning()) ? await serviceRows(place, []) : [];
    const older = rows.flatMap(({ name, config }) => (config?.isCurrent === false ? [name] : []));
    const said = `${path ?? 'no svc.yaml, the defaults hold'}: valid`;
    const notes = older.map((name) => `${name} runs with an older one: svcctl config apply`);
    write({ ok: true, file: path, older }, [said, ...notes].join('\n'));
    return EXIT.ok;
  } catch (fault) {
    if (!json || !(fault instanceof ConfigError)) throw fault;
    write(
      { ok: false, file: fault.source, error: fault.message, code: fault.code, faults: fault.faults },
      '',
    );
    return EXIT.usage;
  }
}
