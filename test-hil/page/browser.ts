import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { SafetyRig } from '../rig/safety/safety-rig.ts';

export const CHROMIUM = '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);
/** Not localhost: on plain HTTP under another name a browser gives a page fewer rights, as on the tablet beside the rig. */
export const HOST = 'rig.test';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
];

/** How Chromium is started. */
export const BROWSER = { executablePath: CHROMIUM, args: FLAGS };

/** Environment of a rig whose page is opened under {@link HOST}. */
export const PAGE_ENV = { SVC_ALLOWED_HOSTS: HOST };

export interface Tablet {
  page: Page;
  context: BrowserContext;
  /** What the browser refused or the page threw. */
  faults: string[];
}

export interface TabletOptions {
  width?: number;
  height?: number;
  locale?: 'en' | 'pl';
  theme?: 'light' | 'dark';
  hasTouch?: boolean;
}

/** Longer than any wait on a loaded machine and shorter than the time of a test, so that its error names the wait, ms. */
const LONGEST_WAIT_MS = 150_000;

/** Debian's Chromium for one test. What its pages show belongs to the error of a test that fails. */
export async function onBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await chromium.launch(BROWSER);
  try {
    await work(browser);
  } catch (fault) {
    if (fault instanceof Error) {
      const message = `${fault.message}\n${await shown(browser)}`;
      fault.stack = (fault.stack ?? '').replace(fault.message, () => message);
      fault.message = message;
    }
    throw fault;
  } finally {
    await browser.close();
  }
}

async function shown(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const texts = pages.map(async (page) => {
    const text = await page.locator('body').innerText({ timeout: 10_000 }).catch(String);
    return `${page.url()} shows: ${text.replace(/\s+/g, ' ')}`;
  });
  return (await Promise.all(texts)).join('\n');
}

/** A browser of its own cookies that has the page open. @param address part behind the host: `/#/scenarios` */
export async function openTablet(
  browser: Browser,
  port: number,
  address = '/',
  options: TabletOptions = {},
): Promise<Tablet> {
  const { width = 1280, height = 800, locale = 'en', theme = 'light', hasTouch = false } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    locale,
    colorScheme: theme,
    hasTouch,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(fault.message));
  page.on('console', (message) => {
    // A refused request is part of some tests; a breach of the policy is part of none.
    if (message.type() === 'error' && /Content Security|Trusted/i.test(message.text()))
      faults.push(message.text());
  });
  await page.addInitScript(TELL_BREACHES);
  await page.goto(`http://${HOST}:${port}${address}`);
  return { page, context, faults };
}

/** Run in the page: what broke the policy and where, which the browser's own message does not say. */
const TELL_BREACHES = `addEventListener('securitypolicyviolation', (breach) => {
  const place = [breach.sourceFile, breach.lineNumber, breach.columnNumber].join(':');
  const what = breach.effectiveDirective + ' ' + breach.blockedURI;
  console.error('Content Security Policy: ' + what + ' at ' + place + ': ' + breach.sample);
})`;

/** A bar code scanner: keys 5 ms apart by the time stamps of their events, whatever the machine is busy with. */
export async function scan(page: Page, code: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const beganAt = Date.now() / 1000;
  const keys = [...[...code].map((key) => ({ key, text: key })), { ...ENTER, text: '\r' }];
  for (const [index, key] of keys.entries()) {
    const timestamp = beganAt + index * 0.005;
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key, timestamp });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key: key.key, timestamp });
  }
  await session.detach();
}

const ENTER = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 } as const;

export const portOf = (rig: SafetyRig): number => Number(new URL(rig.serverUrl).port);
