import * as z from 'zod';
import { ConfigError } from '../../lib/config/config-error.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import { RecordError } from '../../scenario/records/record-error.ts';
import { IndexError } from './run-index/index-error.ts';
import { findingSchema } from './scenarios/finding.ts';
import { SAVED_VERSION } from './scenarios/saved-version.ts';

/** What the server says in a problem beside the seven members. */
export const problemMembers = {
  /** What failed: `configuration`, `run-records`, `run-index`, `scenarios` or `svc-server`. */
  device: z.string(),
  /** Ids of the runs that are under way. */
  active: z.array(z.string()),
  /** Why a scenario is not run, first the finding that comes first in its text. */
  findings: z.array(findingSchema),
  /** The text that is there, for one who wanted to change another. */
  current: z.object({ text: z.string(), etag: z.string(), version: SAVED_VERSION.nullable() }),
};

/** What keeps a run from being begun or shown, as a problem: 503 with what it is about in `device`. */
export function translate(thrown: unknown): unknown {
  if (thrown instanceof RecordError) {
    if (thrown.code === 'run_not_finished')
      return new HttpError(thrown.code, thrown.message, { cause: thrown });
    const code = thrown.code === 'record_damaged' ? 'corrupt_response' : 'device_unavailable';
    return new HttpError(code, thrown.message, { members: { device: 'run-records' }, cause: thrown });
  }
  if (thrown instanceof IndexError)
    return new HttpError('device_unavailable', thrown.message, {
      members: { device: 'run-index' },
      cause: thrown,
    });
  if (thrown instanceof ConfigError) {
    const message = `the configuration cannot be used: ${thrown.message}`;
    return new HttpError('device_unavailable', message, {
      members: { device: 'configuration' },
      cause: thrown,
    });
  }
  return thrown;
}
