import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../src/test-kit/suite.ts';
import { onGuardedRig } from '../rig/guard/guarded-rig.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig } from './page-rig.ts';

const test = suite('the two ways of STOP on the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);
const LONG = { timeoutMs: 180_000 };

const connected = (page: Page) => page.waitForSelector('[data-connection=ok]');
const dead = (page: Page, ways: string) => page.waitForSelector(`.head [data-dead-ways=${ways}]`);

withChromium(
  'PAGE-003 SVC-069 the head says that the guard takes no stops, that nobody does, and when both are back',
  () => {
    // Another program at the port of the guard.
    const other = createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
        .end('{"service":"another"}'),
    );
    return onPageRig(
      (rig) =>
        onBrowser(async (browser) => {
          const { page, faults } = await openTablet(browser, portOf(rig), '/#/history');
          await connected(page);
          await dead(page, 'guard');
          process.kill(rig.pidOf('svc-server'), 'SIGSTOP');
          await dead(page, 'both');
          await page.getByText('disconnect the supply of the actuators').first().waitFor();
          assert.is(await page.getByText('STOP still works').count(), 0);
          other.close();
          other.closeAllConnections();
          await dead(page, 'server');
          await page.getByText('STOP still works').waitFor();
          process.kill(rig.pidOf('svc-server'), 'SIGCONT');
          await connected(page);
          await page.locator('[data-dead-ways]').waitFor({ state: 'detached' });
          assert.equal(faults, []);
        }),
      {},
      ({ settings }) => {
        const [, port] = /^SVC_GUARD_PORT=(\d+)$/m.exec(readFileSync(settings, 'utf8')) ?? [];
        other.listen(Number(port), '127.0.0.1');
      },
    ).finally(() => other.close());
  },
  LONG,
);

test.needs(hasChromium && hasIpv6, `${CHROMIUM} is not installed, or this machine has no ::1`)(
  'PAGE-002 SVC-069 with --host and --port of svc-server and any port of the guard, at an IPv6 address, both ways of STOP act',
  () =>
    onGuardedRig((rig) =>
      onBrowser(async (browser) => {
        const bridge = await rig.bridge();
        await rig.guard({ SVC_API_HOST: '::1' });
        const server = await rig.service('svc-server', { SVC_FIRMWARE_URL: bridge.url }, [
          ...['--host', '::1', '--port', '0'],
        ]);
        const page = await browser.newPage();
        await page.goto(server.url);
        await connected(page);
        await page.locator('[data-mode=bench]').waitFor();
        await rig.actuate(bridge);
        await page.locator('.stop').dispatchEvent('pointerdown', { button: 0 });
        await page.getByText('Through the guard: safe').waitFor();
        await page.getByText('Through the server: safe').waitFor();
        assert.equal(await rig.outputsOn(), []);
        // On a busy machine the guard may have answered its last question late.
        await page.locator('[data-dead-ways]').waitFor({ state: 'detached' });
      }),
    ),
  LONG,
);

test.run();
