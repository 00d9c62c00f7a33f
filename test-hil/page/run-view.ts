import type { Locator, Page } from 'playwright-core';
import { systemClock } from '../../src/lib/clock/clock.ts';
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

/** Presses until what it leads to is shown: what a loaded machine tells late may undo it, as a person would see. */
async function pressUntil(button: Locator, shown: Locator): Promise<void> {
  do {
    await button.or(shown).first().waitFor();
    // It may be replaced, or wait for an answer, while it is pressed.
    if (await button.isVisible()) await button.click({ timeout: 2000 }).catch(() => {});
    await systemClock.sleep(300);
  } while (!(await shown.isVisible()));
}

/** Puts the result away; again where the page then shows the result of a newer run. */
export const nextUnit = (page: Page) =>
  pressUntil(page.getByRole('button', { name: /^Next unit/ }), page.locator('.choice').first());

/** Takes the lease in the Rig view; again where it ended because the page heard nothing of the rig. */
export const takeControl = (page: Page) =>
  pressUntil(
    page.getByRole('button', { name: 'Take control' }),
    page.getByRole('button', { name: 'Open valve-1' }),
  );

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
