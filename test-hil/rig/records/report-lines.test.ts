import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { reportLines } from './report-lines.ts';
import type { StressReport } from './stress.ts';

const test = suite('report of the records under kills');

const REPORT: StressReport = {
  ...{ reported: 15, kills: 2, records: 16, torn: { 'run.json': 1 }, broken: [], isChecked: true },
  rounds: {
    ...{ 'server at a write': 1, 'server at a time': 1, 'svcctl run': 0, 'svcctl runs': 0, 'index file': 0 },
    'bridge, guard or server in an execute run': 0,
  },
};

test('a broken promise is printed also of a piece, before more runs are asked for', () => {
  const broken = ['r-1 was reported twice'];
  assert.equal(reportLines({ ...REPORT, broken, isChecked: false }, 60).slice(3), [
    'broken     r-1 was reported twice',
    'BROKEN: 1',
    'go on      15 of 60 runs: the same command adds the next piece',
  ]);
  assert.equal(reportLines({ ...REPORT, broken }, 15).slice(3), [
    'broken     r-1 was reported twice',
    'BROKEN: 1',
  ]);
});

test('only records that were all compared are called kept', () => {
  assert.match(reportLines(REPORT, 15).at(-1) ?? '', /^kept: /);
  assert.not.match(reportLines({ ...REPORT, isChecked: false }, 60).join('\n'), 'kept');
});

test.run();
