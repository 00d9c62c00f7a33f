import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { root } from '../rig/bench/program.ts';
import { CHROMIUM, HOST, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig } from './page-rig.ts';

const test = suite('connection and access of the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const LONG = { timeoutMs: 180_000 };
const TOKEN = 'a-token-of-the-rig-for-tests';

const connected = (page: Page) => page.waitForSelector('[data-connection=ok]');

withChromium(
  'PAGE-003 the page recovers by itself from a killed server, and says when the bridge hangs and when it is back',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page } = await openTablet(browser, portOf(rig), '/#/rig');
        await connected(page);
        const killed = rig.pidOf('svc-server');
        process.kill(killed, 'SIGKILL');
        // PM2 starts another one; the page opens its stream anew by itself.
        const isBack = () => rig.processes().some(({ name, pid }) => name === 'svc-server' && pid !== killed);
        while (!isBack()) await systemClock.sleep(20);
        await page.waitForResponse((response) => response.url().includes('/api/live') && response.ok());
        await connected(page);
        assert.is(await page.locator('main').getAttribute('data-stale'), 'false');
        const bridge = rig.pidOf('svc-bridge');
        process.kill(bridge, 'SIGSTOP');
        await Promise.all([
          page.getByText('The bridge does not answer. Values and outputs are unknown.').waitFor(),
          page.waitForSelector('[data-mode=unknown]'),
          page.waitForSelector('.run-columns[data-stale=true]'),
        ]);
        // The guard kills it, and PM2 starts another one.
        await page.waitForSelector('[data-mode=bench]');
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-003 a tab of the version before an update says so, keeps what is typed, and STOP still acts in it',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
        const page = await context.newPage();
        // An address that this process can ask too.
        const address = rig.serverUrl;
        const script = /assets\/(main-[^"]+\.js)"/;
        let isUpdated = false;
        // Before the update the page had a script of another name.
        await page.route(`${address}/`, async (route) => {
          const answer = await route.fetch();
          const text = await answer.text();
          await route.fulfill({
            response: answer,
            body: isUpdated ? text : text.replace(script, 'assets/main-OLD.js"'),
          });
        });
        await page.route('**/assets/main-OLD.js', async (route) => {
          const [, name] = script.exec(await (await fetch(`${rig.serverUrl}/`)).text()) ?? [];
          await route.fulfill({ response: await route.fetch({ url: `${address}/assets/${name}` }) });
        });
        await page.goto(`${address}/#/run`);
        await connected(page);
        await page.getByText(/^The rig was updated/).waitFor();
        await page.locator('.serial input').fill('SN-7');
        await page.locator('.stop').click();
        await page.getByText('The rig is safe: all outputs are off.').waitFor();
        isUpdated = true;
        await page.getByRole('button', { name: 'Load the page anew' }).click();
        await page.getByText(/^The rig was updated/).waitFor({ state: 'detached' });
        await connected(page);
        assert.is(await page.locator('.serial input').inputValue(), 'SN-7');
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-007 SVC-003 a rig with a token asks for it once in each browser, and a page of another origin can neither read nor act',
  () =>
    onPageRig(
      (rig) =>
        onBrowser(async (browser) => {
          const { page, context, faults } = await openTablet(browser, portOf(rig));
          await page.getByLabel('Access token').fill('wrong');
          await page.getByRole('button', { name: 'Sign in' }).click();
          await page.getByText('This is not the token of the rig.').waitFor();
          await page.getByLabel('Access token').fill(TOKEN);
          await page.getByRole('button', { name: 'Sign in' }).click();
          await connected(page);
          assert.is(await page.evaluate('document.cookie'), '', 'no script reads the cookie');
          await page.reload();
          await connected(page);
          await page.locator('.stop').dispatchEvent('pointerdown', { button: 0 });
          await page.getByText('The rig is safe: all outputs are off').waitFor();
          await page.getByText('Through the guard: safe').waitFor();
          // The same browser with its cookie, on a page of another origin.
          const other = await context.newPage();
          await other.goto(`http://${HOST}:${new URL(rig.bridgeUrl).port}/health`);
          const foreign = (await other.evaluate(`(async () => {
            const url = 'http://${HOST}:${portOf(rig)}/api/';
            const ask = (path, init) => fetch(url + path, { credentials: 'include', ...init }).then(
              (response) => response.status, () => 'refused');
            return [await ask('station'), await ask('operator-stop/clear?by=x', { method: 'POST' })];
          })()`)) as unknown[];
          assert.equal(foreign, ['refused', 'refused']);
          const { operator_stop } = (await (await fetch(`${rig.bridgeUrl}/health`)).json()) as {
            operator_stop: unknown;
          };
          assert.ok(operator_stop, 'the stop is still in force');
          assert.equal(faults, []);
        }),
      { SVC_API_TOKEN: TOKEN },
    ),
  LONG,
);

test('PAGE-009 the first load is at most 300 kB compressed', () => {
  const folder = join(root, 'dist', 'svc-server-page');
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const text = (path: string) => readFileSync(join(folder, path), 'utf8');
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? [];
  // A script that the first one imports by itself comes with it; `import()` comes when it is needed.
  const loaded = new Set([script]);
  for (const path of loaded)
    for (const [, from, alone] of text(path).matchAll(/\bfrom ?"\.\/([^"]+)"|\bimport ?"\.\/([^"]+)"/g))
      loaded.add(`assets/${from ?? alone}`);
  const bytes = [...loaded, style].reduce((sum, path) => sum + statSync(join(folder, `${path}.gz`)).size, 0);
  assert.ok(bytes > 20_000, `${bytes} bytes: something is not counted`);
  assert.ok(bytes <= 300_000, `${bytes} bytes`);
});

test.run();
