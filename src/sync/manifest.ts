import { z } from 'zod';
import { messageOf } from '../lib/errors/coded-error.ts';
import { SyncError } from './sync-error.ts';

export const MANIFEST_NAME = 'manifest.json';

/** What an archive holds. Import needs the files and ids alone. */
const manifestSchema = z.object({
  scenarios: z.array(z.object({ id: z.string(), file: z.string() })),
});

export interface Manifest {
  /** ISO 8601, UTC. */
  readonly exported_at: string;
  /** The collection, without credentials. */
  readonly source: string;
  readonly scenarios: readonly {
    readonly id: string;
    readonly file: string;
    readonly title: string | null;
    readonly bytes: number;
  }[];
  readonly skipped: readonly { readonly id: string | null; readonly reason: string }[];
  readonly count: number;
}

/** Files and ids of a manifest. @throws SyncError `manifest_invalid` */
export function readManifest(text: string, path: string): z.infer<typeof manifestSchema>['scenarios'] {
  const invalid = (reason: string, cause?: unknown) =>
    new SyncError('manifest_invalid', `${path}: ${reason}; correct it, or remove it to import by file name`, {
      cause,
    });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (thrown) {
    throw invalid(messageOf(thrown), thrown);
  }
  const { data, error } = manifestSchema.safeParse(content);
  if (!error) return data.scenarios;
  const [issue] = error.issues;
  throw invalid(`${issue?.path.join('.') || 'manifest'}: ${issue?.message}`);
}
