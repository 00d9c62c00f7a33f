import * as assert from 'uvu/assert';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { stressRecords } from './stress.ts';

const test = suite('records under kills');

/** `npm run stress:records` does the same with 10,000 runs. */
test(
  'REC-004 of 60 runs under SIGKILL of server, svcctl, bridge and guard and with torn files none is lost, twice or left running, and all verify',
  async () => {
    // In two pieces, as the 10,000 runs are collected.
    const folder = temporaryFolder('stress-records-');
    const first = await stressRecords({ runs: 60, seed: 4, folder, piece: 15 });
    assert.equal([first.broken, first.isChecked], [[], false]);
    assert.ok(first.reported >= 15 && first.reported < 60, String(first.reported));
    const { broken, rounds, reported, records, kills, isChecked } = await stressRecords({
      ...{ runs: 60, seed: 4, folder },
    });
    assert.equal([broken, isChecked], [[], true]);
    assert.ok(records >= reported && kills > first.kills);
    await stressRecords({ runs: 60, seed: 5, folder }).then(
      () => assert.unreachable(),
      (fault: Error) => assert.match(fault.message, 'was begun with --seed 4'),
    );
    for (const [round, count] of Object.entries(rounds)) assert.ok(count > 0, round);
    assert.ok(reported >= 60);
  },
  { timeoutMs: 300_000 },
);

test.run();
