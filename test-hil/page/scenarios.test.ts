import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../src/test-kit/suite.ts';
import { end, launchReady, type Program } from '../rig/bench/program.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, PAGE_ENV, type TabletOptions } from './browser.ts';

const test = suite('the Scenarios view');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const AXE = 'node_modules/axe-core/axe.min.js';
const LONG = { timeoutMs: 180_000 };

const folder = mkdtempSync(join(tmpdir(), 'scenarios-view-'));
const scenarios = join(folder, 'scenarios');
const TEXT = "SCENARIO: Leak\r\nGOAL:\r\n  SET NAME '😀 gęślą'\r\n  CHECK AI01 <= 4 V\r\n";
let server: Program & { url: string };

test.before(async () => {
  mkdirSync(join(scenarios, 'lib'), { recursive: true });
  writeFileSync(join(scenarios, 'lib', 'm.oql'), 'MACRO hold:\n  WAIT $1\n');
  server = await launchReady('svc-server', ['--port', '0'], {
    ...PAGE_ENV,
    SVC_CONFIG_PATH: '/dev/null',
    SVC_STATE_DIR: join(folder, 'state'),
    SVC_SCENARIO_DIR: scenarios,
    SVC_FIRMWARE_URL: 'http://127.0.0.1:1',
  });
});
test.after(async () => {
  await end(server);
  rmSync(folder, { recursive: true, force: true });
});

const fileText = (name: string) => readFileSync(join(scenarios, `${name}.oql`), 'utf8');
const content = (page: Page) => page.locator('.editor .cm-content').first();

/** A person with the text of a scenario open. */
async function openEditor(browser: Browser, id: string, name: string, options: TabletOptions = {}) {
  const tablet = await openTablet(browser, Number(new URL(server.url).port), `/#/scenarios/${id}`, options);
  const { page } = tablet;
  await content(page).waitFor();
  await page.locator('[data-findings]').waitFor();
  await page.locator('input[name=author]').fill(name);
  return tablet;
}

/** Types behind a text of the editor. */
async function typeBehind(page: Page, part: string, typed: string): Promise<void> {
  await content(page).getByText(part, { exact: false }).last().click();
  await page.keyboard.press('End');
  await page.keyboard.type(typed);
}

const saved = (page: Page) => page.locator('[data-saved=true]').waitFor();
const unsaved = (page: Page) => page.locator('[data-saved=false]').waitFor();
const findings = (page: Page, count: number) => page.locator(`[data-findings="${count}"]`).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

withChromium(
  'PAGE-004 findings follow what is typed, a fix and the format repair it, and it is saved with its line ends',
  () =>
    onBrowser(async (browser) => {
      writeFileSync(join(scenarios, 'leak.oql'), TEXT);
      const { page, faults } = await openEditor(browser, 'leak', 'Anna');
      await findings(page, 0);
      await typeBehind(page, 'CHECK', '\nCHEK AI01 <=   3 V');
      await findings(page, 1);
      await page.getByText('CHEK is not a command').waitFor();
      await page.getByRole('button', { name: 'Line 5' }).click();
      await content(page).getByText('CHEK').hover();
      await page.getByRole('button', { name: 'Replace "CHEK" by "CHECK"' }).click();
      await findings(page, 0);
      await press(page, 'Format');
      await unsaved(page);
      await press(page, 'Save');
      await saved(page);
      await page.getByText('Version 2, saved by Anna').waitFor();
      const [head, body] = ['SCENARIO: Leak\r\n', '  CHECK AI01 <= 3 V\r\n'];
      assert.is(fileText('leak'), `${TEXT.replace(head, `${head}\r\n`)}${body}`);
      assert.equal(faults, []);
    }),
  LONG,
);

withChromium(
  'PAGE-006 on the Polish page a finding says in Polish what it means and what helps, in the list and at its place',
  () =>
    onBrowser(async (browser) => {
      writeFileSync(join(scenarios, 'polish.oql'), TEXT.replace('CHECK', 'CHEK'));
      const { page, faults } = await openEditor(browser, 'polish', 'Anna', { locale: 'pl' });
      await findings(page, 1);
      const meaning = 'Pierwsze słowo nie jest poleceniem';
      const item = page.locator('.findings li', { hasText: meaning });
      assert.is(await item.locator('[lang=en]').innerText(), 'CHEK is not a command');
      while ((await page.locator('.cm-diagnostic', { hasText: meaning }).count()) === 0) {
        await page.mouse.move(0, 0);
        await content(page).getByText('CHEK').hover();
        await page.waitForTimeout(1000);
      }
      assert.equal(faults, []);
    }),
  LONG,
);

withChromium(
  'completion offers the names of the rig, and hover explains a command',
  () =>
    onBrowser(async (browser) => {
      writeFileSync(join(scenarios, 'help.oql'), TEXT.replaceAll('\r', ''));
      const { page, faults } = await openEditor(browser, 'help', 'Anna');
      await typeBehind(page, 'CHECK', '\nSET valve-');
      await page.getByRole('option', { name: 'valve-3' }).click();
      await page.keyboard.type(' o');
      await page.getByRole('option', { name: 'off' }).click();
      await content(page).getByText('SET valve-3 off').waitFor();
      await content(page).getByText('CHECK').first().hover();
      await page.getByText('Takes a fresh reading and judges it immediately.').waitFor();
      assert.equal(faults, []);
    }),
  LONG,
);

withChromium(
  'a dry-run shows its lines and events, of the text that is not saved',
  () =>
    onBrowser(async (browser) => {
      writeFileSync(join(scenarios, 'dry.oql'), TEXT);
      const { page, faults } = await openEditor(browser, 'dry', 'Anna');
      await typeBehind(page, 'CHECK', '\nLOG "<b>bold</b>"');
      await press(page, 'Dry-run');
      await page.locator('[data-outcome=passed]').waitFor();
      await page.getByText('(simulated, not a test)').last().waitFor();
      await page.locator('.output').getByText('info: <b>bold</b>').waitFor();
      await page.getByText('Events', { exact: true }).click();
      await page.getByRole('cell', { name: 'run.end' }).waitFor();
      assert.is(fileText('dry'), TEXT);
      assert.equal(faults, []);
    }),
  LONG,
);

withChromium(
  'PAGE-005 two people edit one scenario: the second save is refused and merged, nothing is lost, versions are restored',
  () =>
    onBrowser(async (browser) => {
      writeFileSync(join(scenarios, 'shared.oql'), TEXT);
      const anna = await openEditor(browser, 'shared', 'Anna');
      const jan = await openEditor(browser, 'shared', 'Jan');
      await typeBehind(anna.page, 'SCENARIO', ' of Anna');
      await press(anna.page, 'Save');
      await saved(anna.page);
      await typeBehind(jan.page, 'CHECK', '\nLOG "of Jan"');
      await press(jan.page, 'Save');
      await jan.page.getByText('Somebody else has saved this scenario').waitFor();
      await jan.page
        .getByText(/saved by Anna/)
        .first()
        .waitFor();
      assert.is(fileText('shared'), TEXT.replace('Leak', 'Leak of Anna'), 'the text of Anna is untouched');
      // Takes over the change of Anna, by the arrow between both texts.
      await jan.page.locator('.cm-merge-revert button').first().click();
      await press(jan.page, 'Save the merged text');
      await saved(jan.page);
      const merged = TEXT.replace('Leak', 'Leak of Anna').replace('4 V\r\n', '4 V\r\n  LOG "of Jan"\r\n');
      assert.is(fileText('shared'), merged);
      await press(jan.page, 'Versions');
      const row = jan.page.locator('[data-version="1"]');
      await row.getByText('Changed outside the page').waitFor();
      await row.getByRole('button', { name: 'Compare with now' }).click();
      await jan.page.getByRole('heading', { name: 'Version 1' }).waitFor();
      await row.getByRole('button', { name: 'Restore' }).click();
      await jan.page.locator('[data-version="4"]').waitFor();
      assert.is(fileText('shared'), TEXT);
      await content(jan.page).getByText('SCENARIO: Leak').waitFor();
      assert.equal([...anna.faults, ...jan.faults], []);
    }),
  LONG,
);

withChromium(
  'PAGE-005 a new scenario is created by its first save; a text that is not saved survives another view',
  () =>
    onBrowser(async (browser) => {
      const { page, faults } = await openTablet(browser, Number(new URL(server.url).port), '/#/scenarios');
      await page.getByLabel(/New scenario/).fill('masks/new one');
      await page.getByLabel(/New scenario/).fill('masks/new');
      await press(page, 'Create');
      await content(page).waitFor();
      await page.locator('input[name=author]').fill('Anna');
      await typeBehind(page, 'CHECK', 'AI01 <= 4 V');
      await page.getByRole('link', { name: 'All scenarios' }).click();
      await page.getByLabel('Search').waitFor();
      await page.goBack();
      await content(page).getByText('CHECK AI01 <= 4 V').waitFor();
      await press(page, 'Save');
      await saved(page);
      await press(page, 'Run on the rig');
      await page.waitForURL(/#\/run$/);
      await page.locator('.choice[aria-pressed=true]').getByText('new').waitFor();
      assert.equal(readdirSync(join(scenarios, 'masks')), ['new.oql']);
      assert.match(fileText('masks/new'), 'CHECK AI01 <= 4 V');
      assert.equal(faults, []);
    }),
  LONG,
);

/** Serious findings of axe-core, as `rule: places`. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    type Violation = { id: string; impact: string; nodes: { target: string[] }[] };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  });
}

for (const options of [
  { locale: 'en', theme: 'light', width: 1280 },
  { locale: 'pl', theme: 'dark', width: 390 },
] as const)
  withChromium(
    `PAGE-006 list, editor, conflict and versions have no serious barrier and do not scroll sideways (${options.locale}, ${options.theme}, ${options.width} px)`,
    () =>
      onBrowser(async (browser) => {
        const id = `axe-${options.locale}`;
        writeFileSync(join(scenarios, `${id}.oql`), `${TEXT}  CHEK 1\r\n`);
        const { page, faults } = await openEditor(browser, id, 'Anna', options);
        const words =
          options.locale === 'pl'
            ? ['Zapisz', 'Odrzuć mój tekst', 'Wersje']
            : ['Save', 'Discard my text', 'Versions'];
        const seen = async (what: string) => {
          assert.equal(await barriers(page), [], what);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(width <= options.width, `${what}: ${width} px`);
        };
        await seen('editor');
        await typeBehind(page, 'SCENARIO', ' two');
        writeFileSync(join(scenarios, `${id}.oql`), TEXT);
        await press(page, words[0]!);
        await page.locator('.conflict .cm-mergeView').waitFor();
        await seen('conflict');
        await press(page, words[1]!);
        await typeBehind(page, 'SCENARIO', ' three');
        await press(page, words[0]!);
        await saved(page);
        await press(page, words[2]!);
        await page.locator('[data-version="1"] button').first().click();
        await page.locator('.cm-mergeView').waitFor();
        await seen('versions');
        await page.goto(`${new URL(page.url()).origin}/#/scenarios`);
        await page.locator('table').waitFor();
        await seen('list');
        assert.equal(faults, []);
      }),
    LONG,
  );

withChromium(
  'PAGE-002 lists and hints of the editor never cover STOP',
  () =>
    onBrowser(async (browser) => {
      writeFileSync(join(scenarios, 'cover.oql'), `${TEXT}${'  WAIT 1s\r\n'.repeat(60)}`);
      const { page } = await openEditor(browser, 'cover', 'Anna', { width: 390, height: 600 });
      await content(page).getByText('WAIT').nth(5).click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Space');
      await page.locator('.cm-tooltip-autocomplete').waitFor();
      // The list is moved under the head by scrolling.
      for (let step = 0; step < 12; step++) {
        await page.mouse.wheel(0, 60);
        const box = (await page.locator('.stop').boundingBox())!;
        for (const part of [0.1, 0.5, 0.9]) {
          const isStop = await page.evaluate(
            ([x, y]) => document.elementFromPoint(x!, y!)?.closest('.stop') !== null,
            [box.x + box.width / 2, box.y + box.height * part],
          );
          assert.ok(isStop, `step ${step}`);
        }
      }
    }),
  LONG,
);

test.run();
