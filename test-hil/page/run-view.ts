import type { Page } from 'playwright-core';
import type { SafetyRig } from '../rig/safety/safety-rig.ts';

/** Chooses a scenario in the Run view and waits until it can be started. */
export async function choose(page: Page, scenario: string): Promise<void> {
  await page.locator('.choice', { hasText: scenario }).first().click();
  await page.getByRole('button', { name: 'Start', exact: true }).and(page.locator(':enabled')).waitFor();
}

/** Presses Start. */
export const start = (page: Page) => page.getByRole('button', { name: 'Start', exact: true }).click();
/** Waits for the result in large letters. */
export const verdict = (page: Page, word: string) =>
  page.locator('.verdict-word', { hasText: word }).waitFor();

/** Puts the result away; again where the page, late on a loaded machine, then shows the result of a newer run. */
export async function nextUnit(page: Page): Promise<void> {
  const next = page.getByRole('button', { name: /^Next unit/ });
  const choice = page.locator('.choice').first();
  do {
    await next.or(choice).first().waitFor();
    if (await next.isVisible()) await next.click();
    await page.waitForTimeout(300);
  } while (!(await choice.isVisible()));
}

/** The next unit, whose quick run passes. */
export async function passNext(page: Page): Promise<void> {
  await nextUnit(page);
  await choose(page, 'Quick pass');
  await start(page);
  await verdict(page, 'PASS');
}

/** The records of the server, newest first. */
export async function runs(rig: SafetyRig): Promise<Record<string, unknown>[]> {
  const { runs: list } = (await (await fetch(`${rig.serverUrl}/api/runs`)).json()) as {
    runs: Record<string, unknown>[];
  };
  return list;
}
