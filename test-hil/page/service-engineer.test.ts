import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import type { SafetyRig } from '../rig/safety/safety-rig.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig } from './page-rig.ts';

const test = suite('the page for the service engineer');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const LONG = { timeoutMs: 240_000 };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function knob(rig: SafetyRig, device: string, name: string): Promise<unknown> {
  const answer = await fetch(`${rig.benchUrl}/bench/v1/devices`);
  const { devices } = (await answer.json()) as {
    devices: { device: string; knobs: Record<string, unknown> }[];
  };
  return devices.find((one) => one.device === device)?.knobs[name];
}

withChromium(
  'PAGE-001 a twin is set to another bit rate in the Bench view; the doctor names it, puts svc.yaml right after a question, and the services are started again with it',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        // What the doctor advises where the bridge has the port: without it other settings are tried.
        await rig.pm2('stop', 'svc-bridge');
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/bench/modbus-io');
        await page.getByLabel('Bit rate, bit/s').first().fill('9600');
        await button(page, 'Set: Bit rate, bit/s').click();
        while ((await knob(rig, 'modbus-io', 'baud')) !== 9600) await systemClock.sleep(50);
        await page.locator('.trace li', { hasText: 'knobs' }).first().waitFor();

        await page.getByRole('link', { name: 'Rig', exact: true }).click();
        await page.getByRole('link', { name: 'Doctor' }).click();
        const before = readFileSync(rig.folder.config, 'utf8');
        await button(page, 'Examine the rig').click();
        await page.getByText('modbus_config_mismatch').first().waitFor({ timeout: 90_000 });
        await page.getByText('baudrate: 19200 → 9600').first().waitFor();
        await button(page, 'Write these values').click();
        await button(page, 'Cancel').click();
        assert.is(readFileSync(rig.folder.config, 'utf8'), before, 'only a yes writes');
        await button(page, 'Write these values').click();
        await button(page, 'Write').click();
        await page.getByText(/^Written to .*svc\.yaml/).waitFor({ timeout: 90_000 });
        assert.match(readFileSync(rig.folder.config, 'utf8'), 'baudrate: 9600');

        await button(page, 'Start the services again').click();
        await button(page, 'Start again').click();
        await page.getByText('Every service runs with the values of the file.').waitFor({ timeout: 90_000 });
        await button(page, 'Examine again').click();
        await page
          .getByText('modbus_config_mismatch')
          .first()
          .waitFor({ state: 'detached', timeout: 90_000 });

        await page.getByRole('link', { name: 'Services' }).click();
        await button(page, 'Start what is missing').click();
        await button(page, 'Start').click();
        await page.locator('tbody tr', { hasText: /svc-bridge.*online.*ok/ }).waitFor({ timeout: 90_000 });
        await rig.untilUp(30_000);
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 the profile is switched after a question and refused while the rig is leased; services and their logs are listed',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/rig/services');
        await page.locator('tbody tr', { hasText: 'svc-bridge' }).waitFor();
        await button(page, 'Switch to standalone').click();
        await button(page, 'Switch').click();
        await page.locator('.profile', { hasText: /standalone.*runs/ }).waitFor({ timeout: 60_000 });
        await page.locator('tbody tr', { hasText: 'svc-adc-usb' }).waitFor();

        const lease = await fetch(`${rig.bridgeUrl}/api/v1/lease`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ owner: 'a run of somebody', ttl_ms: 60_000 }),
        });
        const { lease_id } = (await lease.json()) as { lease_id: string };
        await button(page, 'Switch to stack').click();
        await button(page, 'Switch').click();
        await page.getByText(/leased to a run of somebody/).waitFor({ timeout: 60_000 });
        await fetch(`${rig.bridgeUrl}/api/v1/lease/${lease_id}`, { method: 'DELETE' });

        await button(page, 'Switch to stack').click();
        await button(page, 'Switch').click();
        await page.locator('.profile', { hasText: /stack.*runs/ }).waitFor({ timeout: 60_000 });
        await page.locator('tbody tr', { hasText: 'svc-adc-stack' }).waitFor();

        await button(page, 'Log svc-server').click();
        await page.locator('.log li').first().waitFor();
        const all = await page.locator('.log li').count();
        await page.getByLabel('Filter').fill('/api/profile');
        await page.locator('.log li', { hasText: '/api/profile' }).first().waitFor();
        assert.ok((await page.locator('.log li').count()) < all);
        assert.match(await page.getByText(/svc-server\.err\.log/).innerText(), 'svc-server.err.log');
        await page.getByLabel('Service', { exact: true }).selectOption('svc-guard');
        await page.getByText(/svc-guard\.err\.log/).waitFor();
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 in the Bench view a fault spoils the next answer, a wrong value is refused with its reason, and a reset brings all back',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/bench/plant');
        const leak = page.getByRole('textbox', { name: /^Leak of the mask/ });
        const set = page.getByRole('button', { name: /^Set: Leak of the mask/ });
        await leak.fill('much');
        await set.click();
        await page.locator('.message p', { hasText: 'leak' }).waitFor();
        assert.is(await knob(rig, 'plant', 'leak'), null);
        await leak.fill('0.01');
        await set.click();
        while ((await knob(rig, 'plant', 'leak')) !== 0.01) await systemClock.sleep(50);

        await page.getByLabel('Device').first().selectOption('pump');
        await page.getByLabel('Fault', { exact: true }).selectOption('bad_crc');
        await button(page, 'Inject').click();
        await page.getByText('Wrong CRC: the next answers, 1').waitFor();
        await page.locator('.trace li', { hasText: 'bad_crc' }).first().waitFor();

        await button(page, 'Reset the bench').click();
        await button(page, 'Reset').click();
        while ((await knob(rig, 'plant', 'leak')) !== null) await systemClock.sleep(50);
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

test.run();
