import * as assert from 'uvu/assert';
import { suite } from '../../src/test-kit/suite.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet, portOf } from './browser.ts';
import { onPageRig } from './page-rig.ts';
import { choose, nextUnit, runs, verdict } from './run-view.ts';

const test = suite('parameters of a scenario on the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const LONG = { timeoutMs: 240_000 };

withChromium(
  'PAGE-001 SVC-006 the plan is that of the changed parameters, and the next unit has the values of the scenario again unless they are kept',
  () =>
    onPageRig((rig) =>
      onBrowser(async (browser) => {
        const plan = `${rig.serverUrl}/api/scenarios/limits/plan`;
        for (const [given, remedy] of [
          ['[', 'must be a JSON object'],
          ['{"9x":1}', 'is not a name of a variable'],
        ]) {
          const answer = await fetch(`${plan}?${new URLSearchParams({ variables: given ?? '' })}`);
          assert.is(answer.status, 422);
          assert.match(await answer.text(), remedy ?? '');
        }
        const { page, faults } = await openTablet(browser, portOf(rig), '/#/run');
        const limits = (text: string) => page.locator('.plan-check', { hasText: `AI01${text}` }).waitFor();
        const startable = page
          .getByRole('button', { name: 'Start', exact: true })
          .and(page.locator(':enabled'));
        await choose(page, 'Own limits');
        await limits('0 … 3.5 V');
        await page.getByLabel('highest').fill('2 parsec');
        await page.getByText('With these parameters the scenario cannot be run:').waitFor();
        assert.ok(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled());
        await page.getByLabel('highest').fill('3.25 V');
        await limits('0 … 3.25 V');
        await page.getByText('Changed parameters: highest = 3.25 V').waitFor();
        await startable.click();
        await verdict(page, 'PASS');
        const [run] = await runs(rig);
        assert.equal(run?.variables, { highest: { value: 3.25, unit: 'V' } });
        await page.getByText('For this unit only').waitFor();
        await nextUnit(page);
        await limits('0 … 3.5 V');
        assert.is(await page.getByLabel('highest').inputValue(), '');
        assert.is(await page.getByText('Changed parameters').count(), 0);
        await page.getByLabel('highest').fill('3 V');
        await page.getByRole('button', { name: 'Keep for the next units' }).click();
        await limits('0 … 3 V');
        await startable.click();
        await verdict(page, 'PASS');
        await page.getByText('Kept for the next units.').waitFor();
        await nextUnit(page);
        await limits('0 … 3 V');
        await page.getByText('Kept for the next units.').waitFor();
        await page.getByRole('button', { name: 'Use the values of the scenario' }).click();
        await limits('0 … 3.5 V');
        assert.equal(faults, []);
      }),
    ),
  LONG,
);

test.run();
