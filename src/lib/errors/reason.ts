import { getSystemErrorMap } from 'node:util';
import { messageOf } from './coded-error.ts';

/**
 * Why a call of the system failed, in the system's words alone: `no such file or directory`. For a sentence that names
 * the place itself, which Node's message (`ENOENT: no such file or directory, open '/x'`) would name a second time.
 * Anything else gives its own sentence.
 */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '' && thrown.errors.length > 0)
    return reasonOf(thrown.errors[0]);
  const errno = thrown instanceof Error && 'errno' in thrown ? thrown.errno : undefined;
  const [, words] = (typeof errno === 'number' && getSystemErrorMap().get(errno)) || [];
  return words ?? messageOf(thrown);
}
