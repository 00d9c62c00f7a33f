import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import type { RunEvent } from '../events/event.ts';
import type { RunRecord } from '../outputs/record.ts';
import { isJudged, type Result } from '../run/result.ts';
import { anchorOf } from './event-chain.ts';
import { readEvents } from './read-events.ts';
import { RecordError } from './record-error.ts';
import { resultOfEvents } from './result-of-events.ts';
import { FILES, type RunFile } from './run-file.ts';
import { type RunIdentity, testedUnitOf } from './run-identity.ts';
import { faultText, type VerifyOptions, verifyRecord } from './verify-record.ts';

/**
 * A run that has ended, with all its evidence, when it is what was sealed.
 * @throws RecordError `record_damaged`, `run_not_finished`
 */
export async function loadRecord(
  directory: string,
  file: RunFile,
  options: VerifyOptions = {},
): Promise<RunRecord> {
  const { identity } = file;
  const damaged = (why: string, cause?: unknown) =>
    new RecordError('record_damaged', `the record of ${identity.run_id} in ${directory} is damaged: ${why}`, {
      cause,
    });
  try {
    const { status, faults, key } = await verifyRecord(directory, options);
    const [fault] = faults;
    if (fault) throw damaged(faultText(fault));
    if (status === 'open')
      throw new RecordError(
        'run_not_finished',
        `the record of ${identity.run_id} in ${directory} has no ending; a start of svc-server ends records of runs that were interrupted`,
      );
    const { events } = await readEvents(join(directory, FILES.events), anchorOf(identity));
    const result: Result = { ...resultOf(directory, identity, events), events };
    const { software, scenario } = identity;
    return {
      result,
      version: software.version,
      scenarioHash: scenario.sha256,
      tested: testedUnitOf(identity),
      file,
      sealedBy: key,
    };
  } catch (cause) {
    throw cause instanceof RecordError ? cause : damaged(reasonOf(cause), cause);
  }
}

/** As it was put down; of a run whose disk did not take it, what the events tell. */
function resultOf(
  directory: string,
  { scenario, created_at }: RunIdentity,
  events: readonly RunEvent[],
): Omit<Result, 'events'> {
  const path = join(directory, FILES.result);
  if (!existsSync(path)) return resultOfEvents(events, scenario.file, created_at);
  const read = JSON.parse(readFileSync(path, 'utf8')) as Omit<Result, 'events'>;
  // Records of earlier versions do not say it.
  return { ...read, judged: read.judged ?? read.goals.some(isJudged) };
}
