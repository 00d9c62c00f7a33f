import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Bench } from '../../bench/bench.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { validDescription } from '../../test-kit/http/openapi.ts';
import { suite } from '../../test-kit/suite.ts';
import { BenchControl } from './control.ts';

const test = suite('openapi.json of the bench');

test('SVC-007 the description of the control port is valid OpenAPI 3.1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-openapi-'));
  const bench = new Bench({ folder });
  const control = new BenchControl({ bench, clock: systemClock, log: () => {} });
  const { url } = await control.listen(0);
  const { paths } = await validDescription(url);
  assert.ok('/bench/v1/trace.ndjson' in (paths as object));
  control.close();
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

test.run();
