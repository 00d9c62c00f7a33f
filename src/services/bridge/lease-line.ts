import type { Clock } from '../../lib/clock/clock.ts';
import type { LeaseTable } from '../../rig/lease/lease-table.ts';

/**
 * Milliseconds that a lease still has when the connection of its holder breaks. A holder that lives renews each third of
 * 5 s, so that a broken connection alone never costs it the lease; one that was killed loses it in 2 s instead of 5.
 */
export const LINE_GRACE_MS = 2000;
const BEAT_MS = 1000;

/**
 * What the holder of a lease keeps open as a sign of life: a line of JSON each second. The kernel closes it at any death
 * of the holder; the bridge closes it as soon as the lease ends, so that its holder learns at
 * once. @param gone aborts when the connection ends
 */
export async function* leaseLine(
  leases: LeaseTable,
  id: string,
  { clock, gone }: { clock: Clock; gone: AbortSignal },
): AsyncGenerator<{ held: true; expires_in_ms: number }> {
  if (!leases.holds(id)) return;
  const onGone = () => leases.shorten(id, LINE_GRACE_MS);
  gone.addEventListener('abort', onGone, { once: true });
  const over = AbortSignal.any([gone, leases.endOf(id)]);
  try {
    while (!over.aborted && leases.holds(id)) {
      yield { held: true, expires_in_ms: leases.of(id).expiresInMs };
      await clock.sleep(BEAT_MS, over).catch(() => {});
    }
  } finally {
    gone.removeEventListener('abort', onGone);
  }
}
