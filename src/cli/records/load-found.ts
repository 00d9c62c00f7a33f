import { loadRecord } from '../../scenario/records/load-record.ts';
import { RecordError } from '../../scenario/records/record-error.ts';
import { readRunFile } from '../../scenario/records/run-file.ts';
import type { ReportSource } from '../../services/server/report.ts';
import { endedView } from '../../services/server/runs/run-view.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { FoundRecord } from './find-record.ts';

/**
 * A record with all that reports are made of. @throws CliError `record_damaged`, `run_not_finished`, exit code 3: a
 * record that is not what was sealed has no report
 */
export async function loadFound({ directory, isOwn, keys }: FoundRecord): Promise<ReportSource> {
  try {
    const file = readRunFile(directory);
    const { run_id: id } = file.identity;
    if (file.ending === null)
      throw new CliError(
        'run_not_finished',
        `${id} has not ended: wait for its end, or start svc-server, which ends runs that were interrupted`,
        EXIT.error,
      );
    return {
      file,
      view: endedView(file, 'sealed'),
      record: await loadRecord(directory, file, { named: isOwn, keys }),
    };
  } catch (thrown) {
    if (!(thrown instanceof RecordError)) throw thrown;
    throw new CliError(thrown.code, `${thrown.message}; svcctl verify shows all that differs`, EXIT.error, {
      cause: thrown,
    });
  }
}
