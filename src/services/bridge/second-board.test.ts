import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { openSharedLine, sharedLineYaml } from '../../test-kit/rig/shared-line.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('bridge with two valve boards on one line');

const INTERLOCK = `
aliases: {purge: valve-16}
interlocks:
  - {id: purge-open, reason: the pump needs a way out, while: {pump-main: on}, require_all: {purge: open}}
`;

let line: Awaited<ReturnType<typeof openSharedLine>>;
let bridge: TestBridge;
test.before(async () => {
  line = await openSharedLine();
  bridge = await startTestBridge({
    yaml: sharedLineYaml(line.link) + INTERLOCK,
    env: { SVC_HARDWARE_MODE: 'real' },
  });
});
test.after(async () => {
  await bridge.shutDown('test_end');
  await line.close();
});

test('DEV-054 valve-9 to valve-16 are outputs of the second board, by id and by alias', async () => {
  const opened = await bridge.call('POST /api/v1/hardware/valve/valve-9?value=true');
  assert.equal([opened.status, opened.body.coil, opened.body.verified], [200, 8, true]);
  assert.equal(line.second.coils.indexOf(true), 0);
  const { body } = await bridge.call('GET /api/v1/hardware/valves');
  const valves = body.valves as Record<string, boolean>;
  assert.is(Object.keys(valves).length, 16);
  assert.equal(
    Object.keys(valves).filter((id) => valves[id]),
    ['valve-9'],
  );
  const unknown = await bridge.call('POST /api/v1/hardware/valve/valve-17?value=true');
  assert.match(JSON.stringify(unknown.body), 'must be valve-1..valve-16');
});

test('DEV-054 health names each board, and one word for all valves is that of the one that is not well', async () => {
  const health = async () => (await bridge.call('GET /api/v1/hardware/health')).body;
  const well = await health();
  assert.equal(
    [well.modbus, Object.keys(well.components as object)],
    ['ok', ['pump-motor', 'modbus-io', 'modbus-io-2']],
  );
  line.second.knobs.patch({ silent: true });
  const ill = await health();
  line.second.knobs.patch({ silent: false });
  assert.match(String(ill.modbus), 'error: ');
  while ((await health()).modbus !== 'ok');
});

test('DEV-054 an interlock holds between a valve of the second board and the pump on the same line', async () => {
  await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  const refused = await bridge.call('POST /api/v1/hardware/pump?power_pct=30');
  assert.is(refused.body.code, 'interlock', JSON.stringify(refused.body));
  assert.is((await bridge.call('POST /api/v1/hardware/valve/purge?value=true')).status, 200);
  assert.ok(line.second.coils[7]);
});

test('DEV-054 the safe state of the bridge closes what is open on the second board and verifies it', async () => {
  await bridge.call('POST /api/v1/hardware/valve/valve-11?value=true');
  const { status, body } = await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  assert.equal([status, body.outcome], [200, 'safe'], JSON.stringify(body));
  assert.equal([line.first.coils, line.second.coils].flat().indexOf(true), -1);
});

test('SVC-050 while one board is not proven safe no valve of the other one is opened, and none is reported lost', async () => {
  const before = bridge.logged.length;
  await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  line.second.knobs.patch({ silent: true });
  try {
    const partial = await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
    assert.is(partial.status, 503, JSON.stringify(partial.body));
    let refused: Awaited<ReturnType<typeof bridge.call>>;
    do {
      refused = await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true');
      assert.is(line.first.coils.indexOf(true), -1);
      // The board that was lost makes the bridge try again; meanwhile it refuses for that.
    } while (refused.body.code === 'safe_state_in_progress');
    assert.equal([refused.status, refused.body.code], [503, 'not_safe'], JSON.stringify(refused.body));
    assert.is(line.first.coils.indexOf(true), -1);
  } finally {
    line.second.knobs.patch({ silent: false });
  }
  while (bridge.bridge.safeState.notSafe !== null) await systemClock.sleep(20);
  assert.is((await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true')).status, 200);
  assert.not.match(bridge.logged.slice(before).join('\n'), /actuator lost/);
});

test.run();
