import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../src/test-kit/suite.ts';
import type { SafetyRig } from '../rig/safety/safety-rig.ts';
import { hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig, SCENARIOS } from './page-rig.ts';
import { choose, passNext, runs, start, verdict } from './run-view.ts';

const test = suite('the page and what cannot be used');
const LONG = { timeoutMs: 240_000 };
const withChromium = test.needs(hasChromium, 'Chromium is not installed');
/** As root outside of a container that forbids it. */
const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
const withMount = test.needs(hasChromium && mayMount, 'Chromium is not installed, or no mount here');

async function post(rig: SafetyRig, path: string, body: object = {}) {
  const answer = await fetch(`${rig.serverUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const runOf = async (rig: SafetyRig, scenario: string): Promise<string> =>
  String((await post(rig, `/api/scenarios/${scenario}/run?wait=60`, { mode: 'execute' })).body.run_id);

/** As another person does it, whatever the text is now. */
async function save(rig: SafetyRig, scenario: string, text: string): Promise<void> {
  const address = `${rig.serverUrl}/api/scenarios/${scenario}`;
  const etag = (await fetch(address)).headers.get('etag') ?? '';
  const headers = { 'content-type': 'application/json', 'if-match': etag };
  const body = JSON.stringify({ text, saved_by: 'Ada' });
  assert.is((await fetch(address, { method: 'PUT', headers, body })).status, 200);
}

const goTo = (page: Page, view: string) => page.goto(`${new URL(page.url()).origin}/#/${view}`);

withChromium(
  'REC-005 REC-003 a changed record and a broken index are told on the page, and the other runs stay in the list',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const [good, changed] = [await runOf(rig, 'pass'), await runOf(rig, 'fail')];
        const path = join(rig.folder.state, 'runs', changed, 'result.json');
        const text = readFileSync(path, 'utf8');
        writeFileSync(path, text.replace('failed', 'passed'));
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/history');
        await page.locator('tbody tr', { hasText: good }).waitFor();
        const fault = page.getByText(`The record ${changed} is damaged or was changed`);
        while ((await fault.count()) === 0) {
          await page.getByRole('button', { name: 'Refresh' }).click();
          await page.waitForTimeout(300);
        }
        await goTo(page, `history/${changed}`);
        await page.getByText('The record is damaged or was changed.').waitFor();
        writeFileSync(path, text);
        const index = join(rig.folder.state, 'runs.index.sqlite');
        truncateSync(index, statSync(index).size / 2);
        await goTo(page, 'history');
        for (const id of [good, changed])
          while ((await page.locator('tbody tr', { hasText: id }).count()) === 0) {
            await page.getByRole('button', { name: 'Refresh' }).click();
            await page.waitForTimeout(300);
          }
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 an unknown run, an unknown scenario and a second run are told on the page, and the run goes on',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/history/r-20200101-0001');
        await page.getByText('There is no such run.').waitFor();
        await goTo(page, 'scenarios/no-such');
        await page.getByText('This scenario does not exist any more.').first().waitFor();
        await goTo(page, 'no-such-view');
        await page.getByText('There is no view “no-such-view”.').waitFor();
        const { body } = await post(rig, '/api/scenarios/hold/run', { mode: 'execute' });
        await goTo(page, 'run');
        await page.getByRole('button', { name: 'Abort the run' }).waitFor();
        assert.is(await page.getByRole('button', { name: 'Start', exact: true }).count(), 0);
        const second = await post(rig, '/api/scenarios/pass/run', { mode: 'execute' });
        assert.equal([second.status, second.body.code], [409, 'run_active']);
        await page.getByRole('button', { name: 'Abort the run' }).click();
        await page.locator('.verdict').waitFor();
        const ended = (await (await fetch(`${rig.serverUrl}/api/runs/${body.run_id}`)).json()) as {
          status: string;
        };
        assert.is(ended.status, 'aborted');
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 a scenario that became invalid since its plan was shown: the refused start says why on the page, and the next one runs',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run');
        await page.getByRole('button', { name: /Quick pass/ }).click();
        const start = page.getByRole('button', { name: 'Start', exact: true });
        await start.and(page.locator(':enabled')).waitFor();
        // Only the plan of before is on the page.
        await page.route('**/plan?*', () => {});
        const text = SCENARIOS.pass;
        await save(rig, 'pass', text.replace('CHECK 0', 'SET valve-nx open\n  CHECK 0'));
        await start.click();
        const refusal = page.locator('.message', { hasText: 'This scenario cannot be run on this rig.' });
        await refusal.waitFor();
        assert.match(await refusal.innerText(), /SCN221 pass\.oql line 6, column 7/);
        assert.match(await refusal.innerText(), /"valve-nx" is not an actuator of this rig.*valve-nc/s);
        await save(rig, 'pass', text);
        await start.click();
        await page.locator('.verdict').waitFor();
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 a bridge that is killed in the middle of a run: page, API and command line say why there is no verdict, and the next run passes',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run');
        await choose(page, 'Long hold');
        await start(page);
        await page.locator('.plot .u-over').first().waitFor();
        process.kill(rig.pidOf('svc-bridge'), 'SIGKILL');
        await verdict(page, 'ERROR');
        const lost = /lease|bridge|connection|fetch failed|socket|ECONN/i;
        assert.match(await page.locator('.verdict').innerText(), lost);
        const [run] = await runs(rig);
        const id = String(run?.run_id);
        assert.equal([run?.status, run?.ok], ['error', false]);
        assert.match(JSON.stringify(run?.errors), lost);
        assert.is((run?.safe_state as { outcome: string } | undefined)?.outcome, 'safe', JSON.stringify(run));
        const shown = await rig.svcctl('show', id).ended;
        assert.match(shown.stdout, new RegExp(`^${id}  error`));
        assert.match(shown.stdout, lost);
        const verified = await rig.svcctl('verify', id).ended;
        assert.is(verified.code, 0, verified.stdout + verified.stderr);
        await passNext(page);
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'SVC-049 a stop that latches keeps page, API and command line from a run, each names who pressed it and how to release it',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run');
        await choose(page, 'Quick pass');
        await fetch(`${rig.bridgeUrl}/api/v1/hardware/safe-state?by=Bob`, { method: 'POST' });
        await page.getByText('An operator stop is in force: release it first.').waitFor();
        await page.getByText(/Bob/).first().waitFor();
        const { status, body } = await post(rig, '/api/scenarios/pass/run?wait=60', { mode: 'execute' });
        assert.equal([status, body.status, body.safe_state], [200, 'error', null]);
        assert.match(JSON.stringify(body.errors), /Bob stopped the rig.*svcctl stop --clear/);
        const ours = ['--server', '--server-url', rig.serverUrl, '--mode', 'execute'];
        const refused = await rig.svcctl('run', 'pass', ...ours).ended;
        assert.is(refused.code, 3, refused.stdout);
        assert.match(refused.stdout + refused.stderr, /Bob stopped the rig.*svcctl stop --clear/);
        await page
          .getByRole('button', { name: /^Release/ })
          .first()
          .click();
        await passNext(page);
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withMount(
  'REC-007 a disk that is read-only or full is told on the page before a run, and by the API; later all records are there',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const id = await runOf(rig, 'pass');
        const runs = join(rig.folder.state, 'runs');
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run');
        const alert = page.getByText(/^Runs cannot be recorded/);
        for (const [options, reason] of [
          ['ro', /read-only file system/],
          ['size=8m', /KiB are free, \d+ are needed/],
        ] as const) {
          assert.is(spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', runs]).status, 0);
          try {
            await alert.filter({ hasText: reason }).waitFor();
            assert.not.match(await alert.innerText(), 'no run was started');
            const refused = await post(rig, '/api/scenarios/pass/run', { mode: 'execute' });
            assert.is(refused.status, 503, JSON.stringify(refused.body));
            assert.match(String(refused.body.detail), reason);
          } finally {
            spawnSync('umount', [runs]);
          }
          await alert.waitFor({ state: 'detached' });
        }
        await goTo(page, 'history');
        await page.locator('tbody tr', { hasText: id }).waitFor();
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

test.run();
