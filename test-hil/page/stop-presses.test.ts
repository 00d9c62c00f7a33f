import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import type { SafetyRig } from '../rig/safety/safety-rig.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig, SCENARIOS } from './page-rig.ts';
import { actuate, allOffBy, coverOfStop, pressStop, untilOn } from './press-stop.ts';
import { choose, start, takeControl, verdict } from './run-view.ts';

const test = suite('presses of STOP on the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const LONG = { timeoutMs: 300_000 };
const WIDTHS = [390, 800, 1280] as const;

const connected = (page: Page) => page.waitForSelector('[data-connection=ok]');
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const safe = (page: Page) => says(page, /The rig is safe: all outputs are off/);

/** A run of svcctl that holds valve and pump. */
async function runOfSvcctl(rig: SafetyRig): Promise<number> {
  const file = join(rig.folder.path, 'hold.oql');
  writeFileSync(file, SCENARIOS.hold);
  const program = rig.svcctl('run', file, '--mode', 'execute', '--firmware-url', rig.bridgeUrl);
  await untilOn(rig);
  return program.pid;
}

withChromium(
  'PAGE-002 STOP acts while the process of a run hangs',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page } = await openTablet(browser, portOf(rig), '/#/run');
        await connected(page);
        const run = await runOfSvcctl(rig);
        process.kill(run, 'SIGSTOP');
        await allOffBy(rig, () => pressStop(page));
        await safe(page);
        await says(page, /Stopped by operator page/);
        process.kill(run, 'SIGKILL');
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-002 STOP acts in the middle of a run of the page whose server hangs, and with a server that was killed',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page } = await openTablet(browser, portOf(rig), '/#/run');
        await choose(page, 'Long hold');
        await start(page);
        await untilOn(rig);
        const server = rig.pidOf('svc-server');
        process.kill(server, 'SIGSTOP');
        await allOffBy(rig, () => pressStop(page));
        await says(page, 'Through the guard: safe');
        process.kill(server, 'SIGCONT');
        await verdict(page, 'ERROR');
        await page.getByRole('button', { name: 'Release the stop' }).click();
        await page.locator('.stop-panel').waitFor({ state: 'detached' });
        await actuate(rig);
        // PM2 would start another server.
        for (const daemon of rig.daemons()) process.kill(daemon, 'SIGSTOP');
        process.kill(rig.pidOf('svc-server'), 'SIGKILL');
        await allOffBy(rig, () => pressStop(page));
        await says(page, 'Through the guard: safe');
        await says(page, 'Through the server: no answer');
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-002 without a run, a finger that slides off and Escape held for half a second stop the rig, a short Escape does not',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, context } = await openTablet(browser, portOf(rig), '/#/run', { hasTouch: true });
        await connected(page);
        await actuate(rig);
        const box = await page.locator('.stop').boundingBox();
        assert.ok(box && box.height >= 80);
        const session = await context.newCDPSession(page);
        const touch = (type: string, points: { x: number; y: number }[]) =>
          session.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: points });
        await allOffBy(rig, async () => {
          await touch('touchStart', [{ x: box.x + 20, y: box.y + 20 }]);
          await touch('touchMove', [{ x: 20, y: 500 }]);
          await touch('touchEnd', []);
        });
        await safe(page);
        await page.getByRole('button', { name: 'Release the stop' }).click();
        await page.locator('.stop-panel').waitFor({ state: 'detached' });
        await actuate(rig);
        await page.getByLabel('Search scenarios').focus();
        // Pressed and let go by the clock of the page, whatever the machine is busy with.
        await page.evaluate(`(() => {
          const key = (type) => dispatchEvent(new KeyboardEvent(type, { key: 'Escape', bubbles: true }));
          key('keydown');
          setTimeout(() => key('keyup'), 100);
        })()`);
        await systemClock.sleep(1000);
        assert.is(await page.locator('.stop-panel').count(), 0);
        assert.not.equal(await rig.outputsOn(), []);
        await allOffBy(rig, () => page.keyboard.down('Escape'));
        await page.keyboard.up('Escape');
        await safe(page);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-002 with six tabs of one browser, each with its event stream, STOP still leaves the browser',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { context, page } = await openTablet(browser, portOf(rig), '/#/scenarios');
        await connected(page);
        for (let tab = 0; tab < 5; tab++) {
          const next = await context.newPage();
          await next.goto(page.url());
          await connected(next);
        }
        await actuate(rig);
        await allOffBy(rig, () => pressStop(page));
      }),
    ),
  LONG,
);

/** What may be on the screen, and how it comes there. */
const SITUATIONS: readonly (readonly [name: string, come: (page: Page, rig: SafetyRig) => Promise<void>])[] =
  [
    [
      'a plan with many blocks',
      async (page) => {
        await page.goto(new URL('/#/run', page.url()).href);
        await choose(page, 'Long hold');
      },
    ],
    [
      'a prompt',
      async (page) => {
        await choose(page, 'Asks for texts');
        await start(page);
        await page.getByLabel('Answer').focus();
      },
    ],
    ['the result of a stopped run', (page) => verdict(page, 'ERROR')],
    [
      'a large PASS',
      async (page) => {
        await page.getByRole('button', { name: /^Next unit/ }).click();
        await choose(page, 'Quick pass');
        await start(page);
        await verdict(page, 'PASS');
      },
    ],
    [
      'a record',
      async (page) => {
        await page.getByRole('link', { name: 'Open the record' }).click();
        await says(page, 'Save HTML');
      },
    ],
    [
      'completion of the editor',
      async (page) => {
        await page.goto(new URL('/#/scenarios', page.url()).href);
        await page.getByRole('link', { name: 'pass', exact: true }).click();
        await page.locator('.cm-content').click();
        await page.keyboard.press('Control+End');
        await page.keyboard.type('  SE', { delay: 80 });
        await page.keyboard.press('Control+Space');
        await page.locator('.cm-tooltip-autocomplete').waitFor();
      },
    ],
    [
      'manual control',
      async (page) => {
        await page.goto(new URL('/#/rig', page.url()).href);
        await takeControl(page);
      },
    ],
    [
      'the messages of a server that hangs',
      async (page, rig) => {
        process.kill(rig.pidOf('svc-server'), 'SIGSTOP');
        await page.locator('.head [data-dead-ways=server]').waitFor();
        await says(page, 'The server does not answer: it hangs');
      },
    ],
  ];

withChromium(
  'PAGE-002 nothing covers STOP, on every view, in every situation, scrolled, at 390, 800 and 1280 px; each press stops the rig',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run');
        await connected(page);
        const isFree = async (where: string) => {
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 700 });
            for (const to of ['0', 'document.documentElement.scrollHeight']) {
              await page.evaluate(`scrollTo(0, ${to})`);
              assert.is(await coverOfStop(page), null, `${where} at ${width} px, scrolled to ${to}`);
            }
          }
        };
        const links = await page.locator('.head nav a').evaluateAll((all) => all.map(String));
        assert.ok(links.length >= 5);
        const stops = async (where: string) => {
          await isFree(where);
          await allOffBy(rig, () => pressStop(page));
          await isFree(`${where}, stopped`);
        };
        const released = async () => {
          await rig.clearStop();
          await page.locator('.stop-panel').waitFor({ state: 'detached' });
        };
        for (const link of links) {
          await page.goto(link);
          await connected(page);
          await actuate(rig);
          await stops(link);
          await released();
        }
        for (const [name, come] of SITUATIONS) {
          await come(page, rig);
          await stops(name);
          if (name === SITUATIONS.at(-1)?.[0]) break;
          await released();
        }
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

test.run();
