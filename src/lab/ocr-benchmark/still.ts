import type { Browser } from '../window-training/browser.ts';

const MOST_SHOTS = 10;

/**
 * The page, and what it says of itself, when it is drawn as it stays: on a loaded machine a first picture may still lack a font, and then
 * the text in it.
 *
 * @throws Error when it never is
 */
export async function still<T>(browser: Browser, script: string): Promise<{ said: T; shot: Buffer }> {
  let before: { said: T; shot: Buffer } | undefined;
  for (let i = 0; i < MOST_SHOTS; i++) {
    const said = (await browser.evaluate(script)) as T;
    const shot = await browser.shot();
    if (before?.shot.equals(shot) && JSON.stringify(before.said) === JSON.stringify(said)) return before;
    before = { said, shot };
  }
  throw new Error(`${MOST_SHOTS} pictures of one page are all different`);
}
