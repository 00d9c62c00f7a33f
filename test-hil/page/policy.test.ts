import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../src/test-kit/suite.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig, runOf } from './page-rig.ts';
import { choose, nextUnit, start, verdict } from './run-view.ts';

const test = suite('the policy of the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** On a loaded machine the answer of the language may come too late for the hint that it was asked for. */
async function shownBy(page: Page, hint: string, ask: () => Promise<void>): Promise<void> {
  for (let asked = 0; asked < 60 && (await page.locator(hint).count()) === 0; asked++) {
    await page.mouse.move(0, 0);
    await ask();
    await page.waitForTimeout(1000);
  }
  await page.locator(hint).first().waitFor();
}

/** What a person does in the editor: every list, hint, panel and comparison that it can show. */
async function edit(page: Page): Promise<void> {
  const content = page.locator('.editor .cm-content').first();
  await content.waitFor();
  await page.locator('[data-findings]').waitFor();
  await page.locator('input[name=author]').fill('Ada');
  await content.getByText('CHECK').last().click();
  await page.keyboard.press('End');
  // Keys at once that end with Enter would be a bar code.
  await page.keyboard.type('\nSET valve-nx open\nSE', { delay: 40 });
  await shownBy(page, '.cm-tooltip-autocomplete', () => page.keyboard.press('Control+Space'));
  await page.keyboard.press('Escape');
  await shownBy(page, '.cm-about', () => content.getByText('CHECK').last().hover());
  await shownBy(page, '.cm-diagnostic', () =>
    page.locator('.cm-lintRange-error, .cm-lintRange-warning').first().hover(),
  );
  await press(page, 'Save');
  await page.locator('[data-saved=true]').waitFor();
  await press(page, 'Versions');
  await page.getByRole('button', { name: 'Compare with now' }).first().click();
  await page.locator('.cm-mergeView').waitFor();
  await press(page, 'Dry-run');
  await page.locator('[data-outcome]').waitFor();
}

withChromium(
  'PAGE-007 no view, dialogue, plot or print breaks the policy of the page: what was refused is named with its place',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const passed = await runOf(rig, 'limits', { unit_under_test: 'SN-1' });
        const failed = await runOf(rig, 'fail', { unit_under_test: 'SN-2' });
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run');
        const goTo = (view: string) => page.goto(`${new URL(page.url()).origin}/#/${view}`);
        await nextUnit(page);
        await choose(page, 'Asks twice');
        await start(page);
        await page.locator('.prompt button').first().click();
        await page.locator('.prompt-message', { hasText: 'Which size?' }).waitFor();
        await page.locator('.prompt button').first().click();
        await verdict(page, 'PASS');
        await nextUnit(page);
        await choose(page, 'Long hold');
        await start(page);
        await page.locator('.plot .u-over').first().waitFor();
        await page.pdf({ format: 'A4' });
        await press(page, 'Abort the run');
        await verdict(page, 'ERROR');
        for (const view of [
          'history',
          `history/${failed}`,
          `history/${failed}?compare=${passed}`,
          'statistics?hardware=bench&scenario=limits',
          'rig',
          'rig/doctor',
          'rig/services',
          'bench',
          'bench/plant',
          'no-such-view',
        ])
          for (const theme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme: theme });
            await goTo(view);
            await page.locator('.panel, .message').first().waitFor();
            await page.getByText('Loading …').first().waitFor({ state: 'detached' });
          }
        await goTo('scenarios/limits');
        await edit(page);
        const stop = page.getByRole('button', { name: /^STOP/ }).first();
        await stop.dispatchEvent('pointerdown');
        await page.locator('.stop-panel').waitFor();
        assert.equal(faults, []);
        // The test can see a breach: its kind, its place and its beginning.
        await page.evaluate(
          `document.head.append(Object.assign(document.createElement('style'), { textContent: 'body { margin: 1px }' }))`,
        );
        while (faults.length < 2) await page.waitForTimeout(50);
        assert.match(faults.join(), /Content Security Policy: style-src-elem inline at .*: body \{ margin/);
      }),
    ),
  { timeoutMs: 400_000 },
);

test.run();
