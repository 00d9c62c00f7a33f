import { dirname } from 'node:path';
import type { Mode } from '../../../scenario/events/event.ts';
import { sha256 } from '../../../scenario/records/event-chain.ts';
import type { HashedFile } from '../../../scenario/records/run-identity.ts';
import type { GivenVariable } from '../../../scenario/run/variables.ts';
import { type CheckedScenario, loadChecked } from '../../../scenario/safety/load-checked.ts';
import { fileLoader } from '../../../scenario/syntax/file-loader.ts';
import type { IncludeLoader } from '../../../scenario/syntax/include-loader.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import type { FoundScenario } from './find-scenarios.ts';

export interface LoadedScenario {
  checked: CheckedScenario;
  includes: HashedFile[];
  /** Places at which a file to include was looked for. */
  looked: readonly string[];
}

/**
 * Reads a scenario with the safety check, whose findings keep it from running; a dry-run tells them and goes on. What
 * only this rig lacks is an error in execute mode alone. Never throws.
 */
export function loadForRun(
  { path }: FoundScenario,
  source: Uint8Array,
  { mode, variables }: { mode: Mode; variables: Readonly<Record<string, GivenVariable>> },
  { config, registry, interlocks }: ConfiguredRig,
  libraryRoot: string,
): LoadedScenario {
  const includes: HashedFile[] = [];
  const looked: string[] = [];
  const onLook = (place: string) => looked.push(place);
  const files = fileLoader({ libraryRoot, topDir: dirname(path), onLook });
  const load: IncludeLoader['load'] = (wanted, from) => {
    const found = files.load(wanted, from);
    if ('file' in found && !includes.some(({ file }) => file === found.file))
      includes.push({ file: found.file, sha256: sha256(found.source) });
    return found;
  };
  const checked = loadChecked(source, path, {
    loader: { load },
    rigSeverity: mode === 'execute' ? 'error' : 'warning',
    safety: { registry, limits: config.limits, interlocks, variables },
    warnsOf: () => mode === 'dry-run',
  });
  return { checked, includes, looked };
}
