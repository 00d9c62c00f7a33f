import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import type { SafetyRig } from '../rig/safety/safety-rig.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig } from './page-rig.ts';
import { actuate } from './press-stop.ts';

const test = suite('STOP on the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const LONG = { timeoutMs: 180_000 };

async function untilOff(rig: SafetyRig): Promise<void> {
  while ((await rig.outputsOn()).length > 0) await systemClock.sleep(20);
}

const connected = (page: Page) => page.waitForSelector('[data-connection=ok]');
const summary = (page: Page, text: RegExp) => page.getByText(text).first().waitFor();

withChromium(
  'PAGE-002 STOP acts when it is touched, shows each step, latches, and is released on the page',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/scenarios');
        await connected(page);
        await actuate(rig);
        const box = await page.locator('.stop').boundingBox();
        assert.ok(box && box.height >= 80, 'at least 80 px high');
        await page.mouse.move(box.x + 20, box.y + 20);
        await page.mouse.down();
        // The finger slides off: there will be no click.
        await page.mouse.move(5, 700);
        await page.mouse.up();
        await untilOff(rig);
        await summary(page, /The rig is safe: all outputs are off/);
        assert.is(await page.locator('.stop-progress .is-ok').count(), 5);
        await page.reload();
        await summary(page, /Stopped by operator page/);
        await page.getByRole('button', { name: 'Release the stop' }).click();
        await page.locator('.stop-panel').waitFor({ state: 'detached' });
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-002 PAGE-003 with a server that hangs and a bridge that hangs, STOP goes through the guard, and the page says what is gone',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page } = await openTablet(browser, portOf(rig), '/#/scenarios');
        await connected(page);
        await actuate(rig);
        process.kill(rig.pidOf('svc-server'), 'SIGSTOP');
        await page.waitForSelector('[data-connection=lost]');
        assert.is(await page.locator('main').getAttribute('data-stale'), 'true');
        await page.getByText('The server does not answer: it hangs').waitFor();
        await page.locator('.mode[data-mode=unknown]').waitFor();
        await page.locator('.lease', { hasText: 'Unknown' }).waitFor();
        process.kill(rig.pidOf('svc-bridge'), 'SIGSTOP');
        await page.keyboard.down('Escape');
        await untilOff(rig);
        await page.keyboard.up('Escape');
        // Proven by the guard; what has happened since then, the page cannot know.
        await summary(page, /The rig was made safe at .*: all outputs were off/);
        assert.is(await page.getByText('The rig is safe').count(), 0);
        process.kill(rig.pidOf('svc-server'), 'SIGCONT');
        await connected(page);
        await summary(page, /Stopped by operator page/);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-002 neither server nor guard: the page says that the stop is not confirmed and what to do',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page } = await openTablet(browser, portOf(rig), '/#/scenarios', { locale: 'pl' });
        await connected(page);
        await page.context().setOffline(true);
        await page.locator('.stop').dispatchEvent('pointerdown', { button: 0 });
        await summary(page, /STOP NIEPOTWIERDZONY/);
      }),
    ),
  LONG,
);

test.run();
