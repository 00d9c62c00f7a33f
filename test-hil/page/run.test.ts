import * as assert from 'uvu/assert';
import { suite } from '../../src/test-kit/suite.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, portOf, scan } from './browser.ts';
import { onPageRig } from './page-rig.ts';
import { choose, nextUnit, runs, start, verdict } from './run-view.ts';

const test = suite('Run view of the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const LONG = { timeoutMs: 240_000 };

/** In the page: whether the first plot, which is outside of the screen, is drawn in the step that announces a print. */
const IS_DRAWN_FOR_PRINT = `(() => {
  const [words, canvas] = ['.plot figcaption', '.plot canvas'].map((one) => document.querySelector(one));
  const before = [words.textContent, canvas.toDataURL()];
  dispatchEvent(new Event('beforeprint'));
  return [words.textContent !== before[0], canvas.toDataURL() !== before[1]];
})()`;

withChromium(
  'PAGE-001 a unit is scanned, run to pass, to fail and to error; each result stays until the next unit is entered',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run');
        await choose(page, 'Quick pass');
        await page.getByLabel('Operator').fill('Ada');
        // The focus is in another field: the scan goes to the serial number all the same.
        await scan(page, 'SN-0001');
        await page.locator('.serial input').waitFor();
        assert.is(await page.locator('.serial input').inputValue(), 'SN-0001');
        assert.is(await page.getByLabel('Operator').inputValue(), 'Ada');
        assert.is((await runs(rig)).length, 0, 'a scan starts nothing');
        await start(page);
        await verdict(page, 'PASS');
        const [first] = await runs(rig);
        assert.equal(
          [first?.unit_under_test, first?.operator, first?.started_by, first?.status],
          ['SN-0001', 'Ada', 'page', 'passed'],
        );
        await page.reload();
        await verdict(page, 'PASS');
        await scan(page, 'SN-0002');
        await page.getByRole('button', { name: 'Next unit: SN-0002' }).waitFor();
        await verdict(page, 'PASS');
        await nextUnit(page);
        await choose(page, 'Sure fail');
        await start(page);
        await verdict(page, 'FAIL');
        await page.getByText('the voltage is too low').first().waitFor();
        await nextUnit(page);
        await choose(page, 'Long hold');
        await start(page);
        await page.getByRole('button', { name: 'Abort the run' }).click();
        await verdict(page, 'ERROR');
        await page.locator('.verdict-state', { hasText: 'Aborted' }).waitFor();
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 a prompt is answered on either of two tablets, and a reload in the middle of a run loses nothing',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const one = await openTablet(browser, portOf(rig), '/#/run');
        const two = await openTablet(browser, portOf(rig), '/#/run', { width: 390, height: 800 });
        await choose(one.page, 'Asks twice');
        await start(one.page);
        await one.page.locator('.prompt-message', { hasText: 'strap tight' }).waitFor();
        await scan(one.page, 'yes');
        await one.page.locator('.prompt-message', { hasText: 'strap tight' }).waitFor();
        await two.page.getByRole('button', { name: 'Yes' }).click();
        await one.page.locator('.prompt-message', { hasText: 'Which size' }).waitFor();
        await one.page.reload();
        await one.page.getByRole('button', { name: 'M', exact: true }).click();
        await verdict(one.page, 'PASS');
        await verdict(two.page, 'PASS');
        assert.equal([...one.faults, ...two.faults], []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 a prompt shows its picture, and says which one is missing',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run', {
          width: 390,
          height: 800,
        });
        await choose(page, 'Shows a picture');
        await start(page);
        const picture = page.getByRole('img', { name: 'Picture: Is the strap tight?' });
        await picture.waitFor();
        assert.is(await page.locator('.prompt-message').innerText(), 'Is the strap tight?');
        // As wide as the screen lets it, and loaded.
        while (((await picture.boundingBox())?.height ?? 0) < 100) await page.waitForTimeout(50);
        await page.getByRole('button', { name: 'Yes' }).click();
        await page.getByText('The picture media/no-such.png cannot be shown').waitFor();
        await page.getByRole('button', { name: 'Yes' }).click();
        await verdict(page, 'PASS');
        for (const name of ['..%2Fpass.oql', '..%2F..%2Fx.png', 'strap.svg', 'pass.oql'])
          assert.ok((await fetch(`${rig.serverUrl}/api/media/${name}`)).status >= 400, name);
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 what was typed for a prompt that another tablet answers is not offered for the next one',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const one = await openTablet(browser, portOf(rig), '/#/run');
        const two = await openTablet(browser, portOf(rig), '/#/run');
        await choose(one.page, 'Asks for texts');
        await start(one.page);
        await one.page.getByLabel('Answer').fill('strap of one');
        await two.page.getByLabel('Answer').fill('strap of two');
        await two.page.getByRole('button', { name: 'Send' }).click();
        await one.page.locator('.prompt-message', { hasText: 'Which buckle?' }).waitFor();
        assert.is(await one.page.getByLabel('Answer').inputValue(), '');
        await one.page.getByLabel('Answer').fill('buckle of one');
        await one.page.getByRole('button', { name: 'Send' }).click();
        await verdict(one.page, 'PASS');
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 with the keyboard alone a scenario is found, chosen and started',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page } = await openTablet(browser, portOf(rig), '/#/run');
        await page.getByLabel('Search scenarios').focus();
        await page.keyboard.type('quick', { delay: 60 });
        await page.keyboard.press('Tab');
        while (!(await page.locator('.choice:focus').count())) await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page
          .getByRole('button', { name: 'Start', exact: true })
          .and(page.locator(':enabled'))
          .waitFor();
        for (let tab = 0; tab < 40; tab++) {
          if (await page.locator('.button-primary:focus').count()) break;
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
        await verdict(page, 'PASS');
      }),
    ),
  LONG,
);

withChromium(
  'PAGE-001 what keeps a scenario from being run is said before the start, with the remedy',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page } = await openTablet(browser, portOf(rig), '/#/run');
        await page.locator('.choice', { hasText: 'Broken' }).click();
        await page.getByText('This scenario cannot be run:').waitFor();
        assert.ok(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled());
        await choose(page, 'Quick pass');
        await fetch(`${rig.bridgeUrl}/api/v1/hardware/safe-state?by=Bob`, { method: 'POST' });
        await page.getByText('An operator stop is in force: release it first.').waitFor();
        assert.ok(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled());
      }),
    ),
  LONG,
);

withChromium(
  'REC-008 a plot outside of the screen is printed with the values of the moment, and never as that of the run before',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run', { height: 300 });
        await choose(page, 'Long hold');
        await start(page);
        await page.locator('.plot canvas').waitFor({ state: 'attached' });
        await page.evaluate('scrollTo(0, 0)');
        // Its only drawing is of the first values; by then there are more.
        await page
          .getByText(/^0:0[3-9]/)
          .first()
          .waitFor();
        assert.equal(await page.evaluate(IS_DRAWN_FOR_PRINT), [true, true], 'words and curve');
        await page.evaluate(`document.querySelector('.plot').dataset.isOld = ''`);
        await page.getByRole('button', { name: 'Abort the run' }).click();
        await verdict(page, 'ERROR');
        await nextUnit(page);
        await choose(page, 'Quick pass');
        await start(page);
        await verdict(page, 'PASS');
        await page.locator('.plot').waitFor({ state: 'attached' });
        assert.is(await page.locator('.plot[data-is-old]').count(), 0);
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

test.run();
