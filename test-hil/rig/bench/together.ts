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
  let results: Map<string, PromiseSettledResult<void>> | undefined;
  let running: Promise<void> | undefined;
  const all = async () => {
    const names = Object.keys(works);
    const settled = await Promise.allSettled(Object.values(works).map((work) => work()));
    results = new Map(names.map((name, index) => [name, settled[index]!]));
  };
  for (const title of Object.keys(works))
    test(
      title,
      async () => {
        running ??= all();
        await running;
        const result = results?.get(title);
        if (result?.status === 'rejected') throw result.reason;
      },
      { timeoutMs },
    );
}
