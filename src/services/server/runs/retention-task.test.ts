import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../../lib/clock/stepped-clock.ts';
import { atPlace } from '../../../test-kit/scenario/sample-run.ts';
import { suite } from '../../../test-kit/suite.ts';
import { startRetention } from './retention-task.ts';

const test = suite('retention by svc-server');
const NOW = Date.UTC(2026, 5, 1);

test('REC-007 the server removes nothing unless a time server has set the clock, and says so in its log', () =>
  atPlace(async (place) => {
    const { run_id: id } = (await place.run(place.store(), NOW - 400 * 86_400_000)).identity;
    place.setSynchronised(id, true);
    const left = () => readdirSync(join(place.stateDir, 'runs'));
    const clock = new SteppedClock(NOW);
    const told: string[] = [];
    const logger = { info: told.push.bind(told), warn: told.push.bind(told), error: told.push.bind(told) };
    let isSet: boolean | null = null;
    const end = startRetention({
      stateDir: place.stateDir,
      rules: { keepDays: 90, maxMb: undefined },
      clock,
      logger: logger as never,
      isClockSet: () => isSet,
    });
    const until = async (text: RegExp) => {
      while (!told.some((line) => text.test(String(line)))) {
        await clock.advance(3_600_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await until(/it is not known whether a time server has set the clock/);
    isSet = false;
    await until(/no time server has set the clock/);
    assert.equal(left(), [id]);
    isSet = true;
    await until(new RegExp(`${id} \\(failed, .*\\) was removed by records\\.keep_days 90`));
    assert.equal(left(), []);
    end();
  }));

test.run();
