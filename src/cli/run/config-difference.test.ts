import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import { configStamp } from '../../rig/configuration/sections.ts';
import { suite } from '../../test-kit/suite.ts';
import { configDifference } from './config-difference.ts';

const test = suite('configuration of svcctl and of the bridge');
const folder = mkdtempSync(join(tmpdir(), 'difference-'));
const own = join(folder, 'svc.yaml');
let answer = '';
const bridge = createServer((_request, response) => response.end(answer));
let url = '';

test.before(async () => {
  await new Promise<void>((resolve) => bridge.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(bridge.address() as AddressInfo).port}`;
});
test.after(() => {
  bridge.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @param said of `/health`; the bridge's file and what stands in it */
function differenceTo(text: string, said?: { path?: string; text: string }): Promise<string | undefined> {
  writeFileSync(own, text);
  const stamp =
    said && configStamp({ file: parseConfig(said.text, 'svc.yaml'), path: said.path }, 'svc-bridge', 0);
  answer = JSON.stringify({ ok: true, ...(stamp ? { configuration: stamp } : {}) });
  return configDifference(url, { env: { SVC_CONFIG_PATH: own }, cwd: folder, clock: systemClock });
}

const LIMIT = 'limits: { pump: { max_power_pct: 10 } }\n';

test('SVC-067 the same file, and a bridge that does not say, are no difference', async () => {
  assert.is(await differenceTo(LIMIT, { path: own, text: LIMIT }), undefined);
  assert.is(await differenceTo(LIMIT), undefined);
  assert.is(await differenceTo('', { text: '' }), undefined, 'both have the defaults');
});

test('SVC-067 a difference names both files, and what to do', async () => {
  const other = '/etc/svc/svc.yaml';
  assert.is(
    await differenceTo(LIMIT, { path: other, text: '' }),
    `svcctl reads ${own}, svc-bridge at ${url} runs with ${other}, and they differ; set SVC_CONFIG_PATH=${other}`,
  );
  assert.match((await differenceTo('', { path: other, text: '' })) ?? '', 'calibrations may differ');
  assert.match(
    (await differenceTo(LIMIT, { path: own, text: '' })) ?? '',
    `svc-bridge runs with an older ${own}, loaded 1970-01-01T00:00:00.000Z: svcctl config apply`,
  );
  assert.match(
    (await differenceTo(LIMIT, { text: '' })) ?? '',
    `svcctl reads ${own}, svc-bridge at ${url} runs with the defaults, and they differ`,
  );
});

test.run();
