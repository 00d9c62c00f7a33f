import * as assert from 'uvu/assert';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import type { SafetyRig } from '../rig/safety/safety-rig.ts';
import { findings, overflow } from './accessibility.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig, runOf, SCRIPT } from './page-rig.ts';

const test = suite('views of the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const LONG = { timeoutMs: 180_000 };

async function replaceText(rig: SafetyRig, scenario: string, text: string): Promise<void> {
  const address = `${rig.serverUrl}/api/scenarios/${scenario}`;
  const before = await fetch(address);
  const answer = await fetch(address, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': before.headers.get('etag') ?? '' },
    body: JSON.stringify({ text, saved_by: 'Ada' }),
  });
  assert.is(answer.status, 200, await answer.text());
}

withChromium(
  'PAGE-001 two runs of a scenario are compared: values with their limits, what differs in words, plots laid over each other',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const one = await runOf(rig, 'limits', { unit_under_test: 'SN-1' });
        const other = await runOf(rig, 'limits', {
          unit_under_test: SCRIPT,
          variables: { highest: '3.75 V' },
        });
        const { page, faults } = await openTablet(browser, portOf(rig), `/#/history/${one}`);
        await page.getByLabel('Compare with').selectOption(other);
        await page.waitForURL(`**/#/history/${one}?compare=${other}`);
        const text = () => page.locator('main').innerText();
        await page.getByText('Two runs compared').waitFor();
        await page.locator('.plots .uplot').first().waitFor();
        for (const part of [
          'SN-1',
          SCRIPT,
          '0 … 3.5 V',
          '0 … 3.75 V',
          'other limits',
          'highest = 3.75 V',
          'sealed',
        ])
          assert.match(await text(), part);
        const serial = page.locator('tr', { hasText: 'Serial number' });
        assert.match(await serial.innerText(), 'differs');
        assert.not.match(
          await page.locator('tr', { hasText: 'Text of the scenario' }).innerText(),
          'differs',
        );
        assert.equal(await findings(page), []);
        await page.setViewportSize({ width: 390, height: 800 });
        // Plots follow the width when they have seen it.
        while (Number(await overflow(page)) > 0) await systemClock.sleep(50);
        await page.getByRole('link', { name: 'Back to the record' }).click();
        await page.getByText('Save HTML').waitFor();
        // A record that is not there says so, beside the one that is.
        await page.goto(`${new URL(page.url()).origin}/#/history/${one}?compare=r-20200101-0001`);
        await page
          .getByText(/no run/)
          .first()
          .waitFor();
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-003 a passed run of twins is seen to be none of a device in the history, however narrow the screen, unscrolled',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        await runOf(rig, 'pass', { unit_under_test: 'a serial number of some length 0123456789' });
        for (const width of [390, 800, 1280]) {
          const { page } = await openTablet(browser, portOf(rig), '/#/history', { width, height: 800 });
          const row = page.locator('tbody tr').first();
          await row.waitFor();
          const edge = (await page.locator('.table-frame').boundingBox())!;
          for (const said of [row.locator('.hardware-mark'), row.getByText('Passed'), row.locator('.mono')]) {
            const box = (await said.boundingBox())!;
            assert.ok(box.x + box.width <= edge.x + edge.width, `${width} px: ${await said.innerText()}`);
          }
          assert.is(await row.locator('.hardware-mark').innerText(), 'BENCH');
        }
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 the history is filtered by its address, and a record shows its checks, plots and files',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        await runOf(rig, 'pass', { unit_under_test: 'SN-1', operator: SCRIPT });
        const failed = await runOf(rig, 'fail', { unit_under_test: 'SN-2' });
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/history?status=failed');
        await page.locator('tbody tr').first().waitFor();
        assert.is(await page.locator('tbody tr').count(), 1);
        await page.locator('tr', { hasText: failed }).getByRole('link').click();
        await page.getByText('the voltage is too low').first().waitFor();
        await page.locator('.check .state-alarm').first().waitFor();
        await page.locator('.fact', { hasText: 'Seal' }).getByText('sealed', { exact: true }).waitFor();
        // The text as it was run, whatever its file is now.
        await replaceText(rig, 'fail', 'SCENARIO: Another text\n');
        await page.getByText('Scenario as it was run').click();
        await page.locator('pre.source', { hasText: 'SCENARIO: Sure fail' }).waitFor();
        await page.getByText(/^Events \(/).click();
        await page.getByLabel('Part of an event').fill('too low');
        await page.locator('tbody tr', { hasText: 'the voltage is too low' }).first().waitFor();
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Save HTML' }).click(),
        ]);
        assert.is(file.suggestedFilename(), `${failed}.html`);
        await page.goBack();
        assert.is(await page.getByLabel('Result').inputValue(), 'failed');
        await page.getByLabel('Result').selectOption('');
        await page.locator('tbody tr').nth(1).waitFor();
        await page.getByRole('button', { name: 'Serial number' }).click();
        await page.waitForURL('**/#/history?sort=serial');
        await page.locator('tbody tr').first().filter({ hasText: 'SN-1' }).waitFor();
        assert.is(await page.locator('th[aria-sort=ascending]').innerText(), 'Serial number ▲');
        assert.is(await page.evaluate('window.wasRun'), undefined);
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 a bar of what failed first leads to its runs alone, and the run chart has its limits and can be zoomed',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        await runOf(rig, 'limits', { unit_under_test: 'SN-1' });
        const failed = await runOf(rig, 'fail', { unit_under_test: 'SN-2' });
        await runOf(rig, 'limits', { unit_under_test: 'SN-3', variables: { highest: '0.1 V' } });
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/statistics?hardware=bench');
        await page.locator('.bars a', { hasText: 'Too high' }).click();
        await page.waitForURL('**/#/history?*failed=*');
        await page.locator('tbody tr', { hasText: failed }).waitFor();
        assert.is(await page.locator('tbody tr').count(), 1);
        await page.getByRole('button', { name: /Failed first/ }).click();
        await page.locator('tbody tr').nth(1).waitFor();

        await page.goto(`${new URL(page.url()).origin}/#/statistics?hardware=bench&scenario=limits`);
        await page.getByLabel('Text of the scenario').waitFor();
        await page
          .locator('tbody')
          .getByRole('link', { name: /^AI01: 0/ })
          .click();
        const chart = page.locator('.plot .u-over');
        await chart.scrollIntoViewIfNeeded();
        const { x, y, width, height } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
        await page.mouse.move(x + width * 0.2, y + height / 2);
        await page.mouse.down();
        await page.mouse.move(x + width * 0.7, y + height / 2, { steps: 5 });
        await page.mouse.up();
        await page.getByRole('button', { name: 'Show all of it' }).click();
        await page.getByRole('button', { name: 'Show all of it' }).waitFor({ state: 'detached' });
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 manual control moves one actuator at a time under a lease, and leaving the view makes the rig safe',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/rig');
        await page.getByRole('button', { name: 'Take control' }).click();
        await page.getByRole('button', { name: 'Open valve-1' }).click();
        await until(rig, ['coil 0']);
        await page.getByRole('button', { name: 'Open valve-3' }).click();
        await until(rig, ['coil 2']);
        const { owner } = (await (await fetch(`${rig.bridgeUrl}/api/v1/lease`)).json()) as { owner: string };
        assert.match(owner, 'manual control');
        const unread = { components: null, peripherals: null, error: 'no answer' };
        await page.route('**/api/rig', (route) =>
          route.fulfill({ json: { ...unread, calibrations: [], config_fault: null } }),
        );
        await page.locator('.manual-valve', { hasText: /valve-3.*unknown/ }).waitFor();
        await page.locator('.run-columns[data-stale=true]').waitFor();
        await page.getByRole('button', { name: 'Close valve-3' }).click();
        await until(rig, []);
        await page.unroute('**/api/rig');
        await page.getByRole('button', { name: 'Open valve-1' }).click();
        await until(rig, ['coil 0']);
        await page.getByRole('link', { name: 'History' }).click();
        await until(rig, []);
        await rig.untilFree(30_000);
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 a view that is left before the answer of "Take control" gives the lease back',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page } = await openTablet(browser, portOf(rig), '/#/rig');
        let release = () => {};
        const isReleased = new Promise<void>((resolve) => {
          release = resolve;
        });
        await page.route('**/api/manual', async (route) => {
          await isReleased;
          await route.continue();
        });
        const isEnded = page.waitForRequest(/\/api\/manual\/.+\/end$/, { timeout: 0 });
        await page.getByRole('button', { name: 'Take control' }).click();
        await page.getByRole('link', { name: 'History' }).click();
        release();
        await isEnded;
        await rig.untilFree(30_000);
      }),
    ),
  LONG,
);

withChromium(
  'SVC-036 a tablet that is cut off in the middle of manual control: the lease ends and the rig is made safe',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, context } = await openTablet(browser, portOf(rig), '/#/rig');
        await page.getByRole('button', { name: 'Take control' }).click();
        await page.getByRole('button', { name: 'Open valve-1' }).click();
        await until(rig, ['coil 0']);
        await context.setOffline(true);
        await until(rig, []);
      }),
    ),
  LONG,
);

async function until(rig: SafetyRig, on: readonly string[]): Promise<void> {
  while (JSON.stringify(await rig.outputsOn()) !== JSON.stringify(on)) await systemClock.sleep(20);
}

test.run();
