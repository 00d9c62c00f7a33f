import type { Suite } from '../../../src/lib/testing/suite.ts';

/**
 * Registers tests that mostly wait: they all begin with the first one and wait at the same time. Each still passes or
 * fails on its own.
 */
export function together(
  test: Suite<Record<string, unknown>>,
  works: Readonly<Record<string, () => Promise<void>>>,
  { timeoutMs }: { timeoutMs: number },
): void {
  let running: Map<string, Promise<PromiseSettledResult<void>>> | undefined;
  const begin = () => new Map(Object.entries(works).map(([title, work]) => [title, settled(work())]));
  for (const title of Object.keys(works))
    test(
      title,
      async () => {
        running ??= begin();
        const result = await running.get(title);
        if (result?.status === 'rejected') throw result.reason;
      },
      { timeoutMs },
    );
}

/** A failure waits until its own test asks for it. */
async function settled(work: Promise<void>): Promise<PromiseSettledResult<void>> {
  const [result] = await Promise.allSettled([work]);
  return result;
}
