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
export const nextUnit = (page: Page) => page.getByRole('button', { name: /^Next unit/ }).click();

/** The records of the server, newest first. */
export async function runs(rig: SafetyRig): Promise<Record<string, unknown>[]> {
  const { runs: list } = (await (await fetch(`${rig.serverUrl}/api/runs`)).json()) as {
    runs: Record<string, unknown>[];
  };
  return list;
}
