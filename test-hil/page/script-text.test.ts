import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../../src/test-kit/end-with-parent.ts';
import { suite } from '../../src/test-kit/suite.ts';
import type { SafetyRig } from '../rig/safety/safety-rig.ts';
import { CHROMIUM, HOST, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig, runOf, SCRIPT, SCRIPT_FILE, SCRIPT_TEXT } from './page-rig.ts';
import { choose, nextUnit, start, verdict } from './run-view.ts';

const test = suite('script that a person, a scenario or a device says');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const LONG = { timeoutMs: 400_000 };

/** What would do something if any part of a page took it for more than text. */
const PAYLOAD = `">${SCRIPT}${SCRIPT_TEXT}`;

/** Made of a payload: an element, a handler or an address that acts. */
const MADE = `[...document.querySelectorAll('*')].filter((one) =>
  ['x', 'javascript:wasRun=1'].includes(one.getAttribute('src') ?? one.getAttribute('href')) ||
  [...one.attributes].some(({ name }) => name.startsWith('on')) || /^javascript:/i.test(one.href ?? '')
).map((one) => one.outerHTML.slice(0, 200))`;

async function requireOnlyText(page: Page, where: string): Promise<void> {
  assert.is(await page.evaluate('globalThis.wasRun'), undefined, where);
  assert.equal(await page.evaluate(MADE), [], where);
}

/** Strings that the page does not decide by, each with a payload behind it, as a device or a program could say them. */
function spoiled(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return SAID.has(key) ? `${value} ${PAYLOAD}` : value;
  if (Array.isArray(value)) return value.map((one) => spoiled(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoiled(one, name)]));
}

const SAID = new Set([
  ...['message', 'endpoint', 'version', 'unit', 'detail', 'cause', 'remedy', 'reason', 'hint', 'value'],
  ...['serial', 'product', 'manufacturer', 'lines', 'text', 'note', 'saved_by', 'description', 'fault'],
  ...['block', 'check', 'operator', 'part', 'batch', 'revision', 'host', 'rig_id', 'device_type', 'error'],
]);

async function spoilAnswers(page: Page): Promise<void> {
  await page.route(/\/api\/(?!live|station|page)/, async (route) => {
    // Only the browser knows the host by its name.
    const url = route.request().url().replace(HOST, '127.0.0.1');
    const answer = await route.fetch({ url }).catch(() => undefined);
    if (!answer) return route.abort();
    const isJson = (answer.headers()['content-type'] ?? '').includes('json');
    if (!isJson) return route.fulfill({ response: answer });
    return route.fulfill({ response: answer, json: spoiled(await answer.json()) });
  });
}

async function lookAtViews(page: Page, views: readonly string[]): Promise<void> {
  const { origin } = new URL(page.url());
  for (const view of views) {
    await page.goto(`${origin}/#/${view}`);
    await page.locator('.panel, .message').first().waitFor();
    await page.getByText('Loading …').first().waitFor({ state: 'detached' });
    await requireOnlyText(page, view);
  }
}

/** A run with a payload in everything that a person enters, started and answered on the page. @returns its id */
async function runWithPayloads(rig: SafetyRig, browser: Browser): Promise<string> {
  const { page, faults } = await openTablet(browser, portOf(rig), '/#/run');
  await nextUnit(page);
  await choose(page, 'Says script');
  for (const name of ['Serial number', 'Operator', 'Part number', 'Revision', 'Batch'])
    await page.getByLabel(name, { exact: true }).first().fill(PAYLOAD);
  await start(page);
  const prompt = page.locator('.prompt');
  await prompt.getByText('Which strap?').waitFor();
  await requireOnlyText(page, 'prompt for a value');
  await prompt.locator('input').fill(PAYLOAD);
  await prompt.getByRole('button').last().click();
  await prompt.getByText('Which one?').waitFor();
  await requireOnlyText(page, 'prompt with choices');
  await prompt.getByRole('button').first().click();
  await verdict(page, 'FAIL');
  await requireOnlyText(page, 'result');
  assert.equal(faults, []);
  const { runs } = (await (await fetch(`${rig.serverUrl}/api/runs?limit=1`)).json()) as {
    runs: { run_id: string; unit_under_test: string }[];
  };
  assert.is(runs[0]?.unit_under_test, PAYLOAD, 'it is recorded as it was entered');
  return String(runs[0]?.run_id);
}

withChromium(
  'PAGE-007 script in names, descriptions, files, entries, answers, device answers and messages stays text on every view and in the report',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const passed = await runOf(rig, 'pass', { unit_under_test: PAYLOAD });
        const run = await runWithPayloads(rig, browser);
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/history');
        await spoilAnswers(page);
        const file = encodeURIComponent(SCRIPT_FILE);
        const payload = encodeURIComponent(PAYLOAD);
        await lookAtViews(page, [
          'history',
          `history/${run}`,
          `history/${run}?compare=${passed}`,
          `history?serial=${payload}`,
          `history/${payload}`,
          'statistics?hardware=bench',
          `statistics?hardware=bench&scenario=${file}&version=${payload}&rig=${payload}`,
          'scenarios',
          `scenarios/${file}`,
          `scenarios/${payload}`,
          'rig',
          'rig/doctor',
          'rig/services',
          'bench',
          'bench/plant',
          `bench/${payload}`,
          payload,
          'run',
        ]);
        await page.evaluate(`location.hash = ${JSON.stringify(`#/${PAYLOAD}`)}`);
        await page.locator('.panel, .message').first().waitFor();
        await requireOnlyText(page, 'an address as it is typed');
        // Who stopped the rig is what that person says.
        const by = encodeURIComponent(SCRIPT);
        await fetch(`${rig.bridgeUrl}/api/v1/hardware/safe-state?by=${by}`, { method: 'POST' });
        await page.getByText(SCRIPT).first().waitFor();
        await requireOnlyText(page, 'stop');
        assert.equal(faults, []);
        const report = await (await fetch(`${rig.serverUrl}/api/runs/${run}/report?format=html`)).text();
        const path = join(temporaryFolder('script-report-'), 'report.html');
        // Its policy is one hindrance; it has to do without.
        writeFileSync(path, report.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''));
        const { page: shown } = await openTablet(browser, portOf(rig), '/#/history');
        await shown.goto(`file://${path}`);
        await shown.locator('h1', { hasText: SCRIPT_TEXT }).waitFor();
        await requireOnlyText(shown, 'report');
        assert.is(await shown.locator('script, img').count(), 0);
      }),
    ),
  LONG,
);

test.run();
