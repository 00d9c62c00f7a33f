import { join } from 'node:path';
import { root } from '../rig/bench/program.ts';
import { SafetyRig } from '../rig/safety/safety-rig.ts';
import { hasChromium, onBrowser, openTablet, PAGE_ENV, portOf } from './browser.ts';

/** Makes docs/screenshots/page-run.png: the page after a run of the pump ramp on the bench. */
async function main(): Promise<void> {
  if (!hasChromium) throw new Error('the picture of the page needs Chromium: apt-get install chromium');
  const rig = await SafetyRig.open({ env: PAGE_ENV });
  try {
    await onBrowser(async (browser) => {
      const { page } = await openTablet(browser, portOf(rig), '/#/run', { width: 1180, height: 1000 });
      await page.locator('.choice', { hasText: 'Pump ramp' }).click();
      await page.getByLabel('Operator').fill('Ada');
      await page.locator('.serial input').fill('SN-0042');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.locator('.verdict').waitFor({ timeout: 60_000 });
      await page.evaluate('document.querySelector(".head h1").textContent = "rig-3"');
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(root, 'docs/screenshots/page-run.png') });
    });
  } finally {
    await rig.close();
  }
}

main().catch((fault: unknown) => {
  process.stderr.write(`${String(fault)}\n`);
  process.exitCode = 1;
});
