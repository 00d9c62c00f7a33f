import type { Suite } from '../../../src/test-kit/suite.ts';

/**
 * Registers tests that mostly wait: they begin with the first of them and wait at the same time, `atOnce` of them. Each
 * still passes or fails on its own.
 */
export function together(
  test: Suite<Record<string, unknown>>,
  works: Readonly<Record<string, () => Promise<void>>>,
  { timeoutMs, atOnce = Number.POSITIVE_INFINITY }: { timeoutMs: number; atOnce?: number },
): void {
  let running: Map<string, Promise<PromiseSettledResult<void>>> | undefined;
  for (const title of Object.keys(works))
    test(
      title,
      async () => {
        running ??= begin(works, atOnce);
        const result = await running.get(title);
        if (result?.status === 'rejected') throw result.reason;
      },
      { timeoutMs },
    );
}

/** Each work begins when one of `atOnce` hands is free. */
function begin(works: Readonly<Record<string, () => Promise<void>>>, atOnce: number) {
  let free = atOnce;
  const queue: (() => void)[] = [];
  const hand = async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
  };
  const giveBack = () => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  const results = Object.entries(works).map(([title, work]) => {
    const result = hand().then(async () => {
      try {
        return await settled(work());
      } finally {
        giveBack();
      }
    });
    return [title, result] as const;
  });
  return new Map(results);
}

/** A failure waits until its own test asks for it. */
async function settled(work: Promise<void>): Promise<PromiseSettledResult<void>> {
  const [result] = await Promise.allSettled([work]);
  return result;
}
