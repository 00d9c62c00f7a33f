import type { Result } from '../../scenario/run/result.ts';

/**
 * What to do when the bridge never answered: one sentence with its address and what to start. Undefined when it did
 * answer, or was never asked.
 */
export function deadBridge({ events }: Result, firmwareUrl: string): string | undefined {
  const calls = events.flatMap((event) =>
    event.type === 'http' && event.url.startsWith(firmwareUrl) ? [event] : [],
  );
  const answered = calls.some(({ status }) => status !== null);
  if (calls.length === 0 || answered) return undefined;
  // The address is in the sentence already.
  const reason = calls[0]?.error?.replace(/^.* failed: /, '');
  return `the bridge at ${firmwareUrl} does not answer${reason ? ` (${reason})` : ''}: start svc-bridge there, or name another one with --firmware-url`;
}
