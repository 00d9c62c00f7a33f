import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { findings, overflow } from './accessibility.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig, runOf } from './page-rig.ts';

const test = suite('accessibility of the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);

const VIEWS = [
  'run',
  'history',
  'statistics?hardware=bench',
  'scenarios',
  'rig',
  'rig/doctor',
  'rig/services',
  'bench',
] as const;

/** On a loaded machine a page may hold its values for old ones for a moment, and shows them pale. */
async function findingsWhileCurrent(page: Page): Promise<string[]> {
  const isCurrent = () => page.locator('main[data-stale=false]').waitFor({ timeout: 0 });
  for (;;) {
    await isCurrent();
    const found = await findings(page);
    if (found.length === 0 || (await page.locator('main[data-stale=true]').count()) === 0) return found;
  }
}

withChromium(
  'PAGE-006 no view has a serious finding of axe-core: two languages, two themes, at 390, 800 and 1280 px',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const passed = await runOf(rig, 'limits', { unit_under_test: 'SN-1' });
        await runOf(rig, 'limits', { unit_under_test: 'SN-3', variables: { highest: '0.1 V' } });
        const failed = await runOf(rig, 'fail', { unit_under_test: 'SN-2' });
        const key = encodeURIComponent('limits/One reading/CHECK # <= AI01 <= highest V/AI01');
        const views = [
          ...VIEWS,
          `history/${failed}`,
          `history/${failed}?compare=${passed}`,
          `statistics?hardware=bench&scenario=limits&key=${key}`,
          'scenarios/limits',
          'bench/plant',
        ];
        let looked = 0;
        for (const locale of ['en', 'pl'] as const)
          for (const theme of ['light', 'dark'] as const) {
            const { page, context, faults } = await openTablet(browser, portOf(rig), '/', { locale, theme });
            for (const view of views) {
              await page.goto(`${new URL(page.url()).origin}/#/${view}`);
              await page.waitForSelector('[data-connection=ok]');
              await page
                .getByText(/^(Loading|Wczytywanie) …$/)
                .first()
                .waitFor({ state: 'detached' });
              await page.locator('.panel, .verdict').first().waitFor();
              for (const width of [390, 800, 1280]) {
                await page.setViewportSize({ width, height: 800 });
                const where = `${view} ${locale} ${theme} ${width} px`;
                assert.equal(await findingsWhileCurrent(page), [], where);
                // Plots follow the width when they have seen it.
                while (Number(await overflow(page)) > 0) await systemClock.sleep(50);
                looked++;
              }
            }
            assert.equal(faults, []);
            await context.close();
          }
        assert.is(looked, views.length * 12);
      }),
    ),
  { timeoutMs: 600_000 },
);

test.run();
