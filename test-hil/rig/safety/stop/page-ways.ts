import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { systemClock } from '../../../../src/lib/clock/clock.ts';
import { BROWSER, openTablet, portOf } from '../../../page/browser.ts';
import { SCENARIOS } from '../../../page/page-rig.ts';
import { pressStop } from '../../../page/press-stop.ts';
import type { SafetyRig } from '../safety-rig.ts';
import { machineMs } from './machine-time.ts';
import type { Session, Way } from './ways.ts';

/** A press has 50 ms more than a command to leave the browser. */
const IDLE_MS = 100;
const SATURATED_MS = 150;
const ROUNDS = 50;

/** What happens around a press. */
interface Around {
  open?(page: Page): Promise<void>;
  actuate?(rig: SafetyRig): Promise<void>;
  before?(rig: SafetyRig): void;
  after?(rig: SafetyRig, page: Page): Promise<void>;
}

/** STOP pressed in a real browser, from the pointer's event on. */
async function session(rig: SafetyRig, { open, actuate, before, after }: Around): Promise<Session> {
  const browser = await chromium.launch(BROWSER);
  const bare = await BarePress.open(browser);
  const { page } = await openTablet(browser, portOf(rig), '/#/run');
  await connected(page);
  await open?.(page);
  const press = await pressClock(page);
  return {
    ...(actuate ? { actuate: () => actuate(rig) } : {}),
    stop: async () => {
      before?.(rig);
      await pressStop(page);
      return { atMs: await press() };
    },
    after: async () => {
      await after?.(rig, page);
      const bareMs = await bare.press();
      await rig.clearStop();
      await page.locator('.stop-panel').waitFor({ state: 'detached' });
      return bareMs;
    },
    close: async () => {
      bare.close();
      await browser.close();
    },
  };
}

const connected = (page: Page) => page.waitForSelector('[data-connection=ok]');

/**
 * Puts the times of a page's events on the machine's clock: both are CLOCK_MONOTONIC with another zero, which lies between
 * question and answer of the quickest of many questions.
 * @returns when the pointer was put down last, milliseconds of the machine's clock
 */
async function pressClock(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    `addEventListener('pointerdown', (event) => { globalThis.pressedAtMs = event.timeStamp; }, true)`,
  );
  let earliest = Number.NEGATIVE_INFINITY;
  let latest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const askedAt = machineMs();
    const pageMs = Number(await page.evaluate('performance.now()'));
    earliest = Math.max(earliest, askedAt - pageMs);
    latest = Math.min(latest, machineMs() - pageMs);
  }
  return async () => (earliest + latest) / 2 + Number(await page.evaluate('globalThis.pressedAtMs'));
}

const BARE_PAGE = `<!doctype html><button style="width:300px;height:200px">STOP</button>
<script>addEventListener('pointerdown', () => fetch('/stop', { method: 'POST' }))</script>`;

/** The floor of a press: a page with nothing else on it, and a server that only notes when a request comes. */
class BarePress {
  readonly #server = createServer((request, response) => {
    if (request.method === 'POST') this.#cameAt(machineMs());
    response.writeHead(200, { 'content-type': 'text/html' }).end(BARE_PAGE);
  });
  #cameAt: (ms: number) => void = () => {};
  #page: Page | undefined;
  #press: (() => Promise<number>) | undefined;

  static async open(browser: Browser): Promise<BarePress> {
    const bare = new BarePress();
    await new Promise<void>((resolve) => bare.#server.listen(0, '127.0.0.1', resolve));
    const page = await (await browser.newContext()).newPage();
    await page.goto(`http://127.0.0.1:${(bare.#server.address() as AddressInfo).port}/`);
    bare.#page = page;
    bare.#press = await pressClock(page);
    return bare;
  }

  /** @returns ms from the pointer's event until the request is at the server */
  async press(): Promise<number> {
    const came = new Promise<number>((resolve) => {
      this.#cameAt = resolve;
    });
    await this.#page?.mouse.move(50, 50);
    await this.#page?.mouse.down();
    await this.#page?.mouse.up();
    return (await came) - ((await this.#press?.()) ?? Number.NaN);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A run of svcctl with outputs on, whose process is then stopped: it holds the lease and does nothing. */
async function hungRun(rig: SafetyRig): Promise<void> {
  const file = join(rig.folder.path, 'hold.oql');
  writeFileSync(file, SCENARIOS.hold);
  hung = rig.svcctl('run', file, '--mode', 'execute', '--firmware-url', rig.bridgeUrl).pid;
  while (!(await rig.outputsOn()).some((name) => name.startsWith('pump'))) await systemClock.sleep(20);
  process.kill(hung, 'SIGSTOP');
}
let hung = 0;

const AROUND: Readonly<Record<string, Around>> = {
  '': {},
  ', the process of a run hangs': {
    actuate: hungRun,
    after: async () => void process.kill(hung, 'SIGKILL'),
  },
  ', the server is frozen': {
    before: (rig) => void process.kill(rig.pidOf('svc-server'), 'SIGSTOP'),
    after: async (rig, page) => {
      process.kill(rig.pidOf('svc-server'), 'SIGCONT');
      await connected(page);
    },
  },
  ', six tabs are open': {
    open: async (page) => {
      for (let tab = 0; tab < 5; tab++) {
        const next = await page.context().newPage();
        await next.goto(page.url());
        await connected(next);
      }
      await page.bringToFront();
    },
  },
};

export const PAGE_WAYS: readonly Way[] = Object.entries(AROUND).flatMap(([how, around]) =>
  (around.actuate ? [false] : [false, true]).map(
    (saturated): Way => ({
      name: `page  STOP pressed in Chromium${how}`,
      saturated,
      aimMs: saturated ? SATURATED_MS : IDLE_MS,
      killsBridge: false,
      bare: 'press on an empty page',
      open: (rig) => session(rig, around),
    }),
  ),
);
