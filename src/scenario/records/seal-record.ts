import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { writeAtomically } from '../outputs/atomic-write.ts';
import { OutputError } from '../outputs/output-error.ts';
import { anchorOf } from './event-chain.ts';
import type { RigKey } from './rig-key.ts';
import { runFileText } from './run-directory.ts';
import { FILES, type RunFile } from './run-file.ts';
import { type SealedFile, sealedFile, sealedFileAt, sealedNames, sealText, TEMPORARY } from './seal.ts';

/**
 * Ends a record: seals it, then writes `run.json`, so that a record with an ending has its seal.
 * @param eventsFile bytes and hash of the events when they are known; default: the file is read
 * @throws OutputError
 */
export function sealRecord(directory: string, file: RunFile, key: RigKey, eventsFile?: SealedFile): void {
  const { identity, ending, events } = file;
  if (!ending || !events) throw new Error(`${identity.run_id} has not ended and cannot be sealed`);
  const text = runFileText(file);
  const body = {
    schema_version: 1,
    run_id: identity.run_id,
    identity_sha256: anchorOf(identity),
    events: { count: events.count, last_sha256: events.last_sha256 },
    files: filesOf(directory, text, eventsFile),
    sealed_at: ending.ended_at,
    key: key.public,
  } as const;
  writeAtomically(join(directory, FILES.seal), sealText(body, key));
  writeAtomically(join(directory, FILES.run), text);
}

function filesOf(directory: string, runText: string, eventsFile: SealedFile | undefined) {
  try {
    for (const name of readdirSync(directory))
      if (TEMPORARY.test(name)) rmSync(join(directory, name), { force: true });
    return Object.fromEntries(
      sealedNames(directory).map((name): [string, SealedFile] => {
        if (name === FILES.run) return [name, sealedFile(runText)];
        if (name === FILES.events && eventsFile) return [name, eventsFile];
        return [name, sealedFileAt(join(directory, name))];
      }),
    );
  } catch (cause) {
    throw new OutputError(`cannot read ${directory} to seal it: ${reasonOf(cause)}`, { cause });
  }
}
