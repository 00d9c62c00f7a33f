import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { BenchRig } from '../bench/bench-rig.ts';
import { launch } from '../bench/program.ts';
import { diag, documentOf, envOf, type Json } from './diag-rig.ts';

const test = suite('svc-diag');
const LONG = { timeoutMs: 120_000 };

let rig: BenchRig;
test.before(async () => {
  rig = await BenchRig.open();
});
test.after(() => rig.close());
test.after.each(async () => {
  await rig.knobs('modbus-io', { coil_stuck: [] });
  await rig.knobs('pump', { duty_stuck: false });
  await rig.knobs('ads1115', { ain0_v: null, ain1_v: null, ain2_v: null });
});

type Tests = { name: string; passed: boolean; details: string; value?: number }[];
const records = () => {
  try {
    return readdirSync(join(rig.folder, 'calibration'));
  } catch {
    return [];
  }
};
async function checked(): Promise<{ code: number | null; report: Json; failed: string[] }> {
  const ended = await diag(rig, ['--calibrate', '--yes', '--json']).ended;
  const report = documentOf(ended);
  const failed = (report.tests as Tests).flatMap(({ name, passed }) => (passed ? [] : [name]));
  return { code: ended.code, report, failed };
}

test(
  'DIAG-032 DIAG-037 DIAG-047 a healthy bench: 14 tests pass, the rig is safe, the result is saved and marked as bench',
  async () => {
    const before = records().length;
    const { code, report } = await checked();
    const { passed, failed, total, ok, bench, simulated, mode, safe_state } = report;
    assert.equal([code, passed, failed, total, ok], [0, 14, 0, 14, true], JSON.stringify(report));
    assert.equal([bench, simulated, mode, safe_state], [true, false, 'real', { outcome: 'safe' }]);
    assert.equal(
      (report.tests as Tests).map(({ name }) => name),
      [
        ...['pump_response', 'valve-nc_calibration', 'valve-sc_calibration', 'valve-wc_calibration'],
        ...[
          'nc-sensor_reading',
          'sc-sensor_reading',
          'wc-sensor_reading',
          'window_AI01_open',
          'window_AI01_closed',
        ],
        ...['window_AI02_open', 'window_AI02_closed', 'window_AI03_open', 'window_AI03_closed', 'safe_state'],
      ],
    );
    assert.equal(await rig.outputsOn(), []);
    assert.is(records().length, before + 1);
    const { held } = (await rig.get('/api/v1/lease')) as { held: boolean };
    assert.is(held, false);
    const help = await diag(rig, ['--help']).ended;
    assert.match(
      help.stdout,
      /function check of pump, valves and sensors; svcctl calibrate <sensor>\s+calibrates/,
    );
  },
  LONG,
);

test(
  'DIAG-033 a valve that is stuck fails by its read-back, the others are still tested',
  async () => {
    await rig.knobs('modbus-io', { coil_stuck: [0] });
    const { code, failed } = await checked();
    assert.is(code, 1);
    assert.equal(failed, ['valve-nc_calibration', 'window_AI01_open']);
  },
  LONG,
);

test(
  'DIAG-034 a pump that confirms and does not turn fails pump_response',
  async () => {
    await rig.knobs('pump', { duty_stuck: true });
    const { code, failed, report } = await checked();
    assert.is(code, 1);
    assert.ok(failed.includes('pump_response'), JSON.stringify(report));
  },
  LONG,
);

test(
  'DIAG-035 DIAG-036 volts are judged by the range of the converter, and windows include both ends',
  async () => {
    await rig.knobs('ads1115', { ain0_v: 0.67, ain1_v: 0.73, ain2_v: 0.91 });
    const ends = await checked();
    assert.equal([ends.code, ends.failed], [0, []], JSON.stringify(ends.report));
    await rig.knobs('ads1115', { ain0_v: 0.6703, ain1_v: 0.7297, ain2_v: 7 });
    const beyond = await checked();
    assert.equal(beyond.failed, [
      'wc-sensor_reading',
      ...['window_AI01_open', 'window_AI01_closed', 'window_AI02_open', 'window_AI02_closed'],
      ...['window_AI03_open', 'window_AI03_closed'],
    ]);
    assert.match(JSON.stringify(beyond.report.errors), 'saturated');
  },
  LONG,
);

test(
  'DIAG-031 without a terminal or with --json nothing moves unless --yes is given: exit 4, one document',
  async () => {
    const before = rig.moves().length;
    for (const args of [['--calibrate'], ['--calibrate', '--json']]) {
      const { code, stdout, stderr } = await diag(rig, args).ended;
      assert.is(code, 4, stderr);
      assert.match(stderr, 'give --yes');
      assert.match(stderr, `bridge ${rig.bridge.url}, mode real (bench`);
      if (args.includes('--json')) assert.is(documentOf({ stdout }).code, 'consent_missing');
    }
    assert.is(rig.moves().length, before);
  },
  LONG,
);

for (const signal of ['SIGINT', 'SIGHUP', 'SIGKILL'] as const)
  test(
    `DIAG-032 ${signal} while a valve is open: the rig becomes safe`,
    async () => {
      const program = diag(rig, ['--calibrate', '--yes']);
      await rig.untilOutputs((on) => on.some((one) => one.startsWith('coil')));
      program.child.kill(signal);
      const { code, stdout } = await program.ended;
      assert.is(code, signal === 'SIGKILL' ? null : 130);
      await rig.untilOutputs((on) => on.length === 0);
      if (signal !== 'SIGKILL') assert.match(stdout, 'aborted: ');
      while (((await rig.get('/api/v1/lease')) as { held: boolean }).held);
    },
    LONG,
  );

test(
  'DIAG-037 a result that cannot be saved is exit 3, and the rig is safe',
  async () => {
    const file = join(rig.folder, 'no-folder');
    writeFileSync(file, '');
    const { code, stderr } = await diag(rig, ['--calibrate', '--yes'], { SVC_STATE_DIR: file }).ended;
    assert.is(code, 3, stderr);
    assert.match(stderr, 'cannot be saved');
    assert.equal(await rig.outputsOn(), []);
  },
  LONG,
);

test(
  'DIAG-038 benchmark: one request at a time, one that does not count, and rps of the successes only',
  async () => {
    let open = 0;
    let most = 0;
    let asked = 0;
    const server = createServer((_request, response) => {
      most = Math.max(most, ++open);
      asked++;
      response.writeHead(asked % 2 === 0 ? 500 : 200, { 'content-type': 'application/json' });
      response.end('{"ok":true,"mode":"real"}', () => open--);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const { stdout } = await diag(rig, ['--benchmark', '1', '--json'], {
        SVC_FIRMWARE_URL: `http://127.0.0.1:${port}`,
      }).ended;
      const {
        requests,
        errors,
        rps,
        latency_avg_ms: average,
      } = documentOf({ stdout }) as Record<string, number>;
      assert.is(most, 1);
      assert.is(requests, asked - 1);
      assert.ok(Math.abs((errors ?? 0) - (requests ?? 0) / 2) <= 1, `${errors} of ${requests}`);
      // In at least the second that was asked for.
      assert.ok((rps ?? 0) <= (requests ?? 0) - (errors ?? 0) && (average ?? 0) > 0, stdout);
    } finally {
      server.close();
    }
    const none = await diag(rig, ['--benchmark', '1', '--json'], { SVC_FIRMWARE_URL: 'http://127.0.0.1:9' })
      .ended;
    const { ok, errors, requests } = documentOf(none);
    assert.equal([none.code, ok, errors], [3, false, requests]);
    const wrong = await diag(rig, ['--benchmark', '601']).ended;
    assert.equal([wrong.code, wrong.stderr.includes('not 1 to 600 s')], [2, true], wrong.stderr);
  },
  LONG,
);

test(
  'DIAG-039 a report switches nothing, says that no check was run, then has the latest one with its age',
  async () => {
    const before = rig.moves().length;
    const empty = join(rig.folder, 'empty');
    const first = join(rig.folder, 'first.json');
    const { code } = await diag(rig, ['--report', first], { SVC_STATE_DIR: empty }).ended;
    assert.is(code, 0);
    const report = JSON.parse(readFileSync(first, 'utf8')) as Record<string, Json>;
    assert.equal(report.calibration, { ran: false, ok: false, passed: 0, errors: ['not run'] });
    assert.equal(Object.keys(report), [
      ...['timestamp', 'firmware_url', 'usb_devices', 'serial_devices', 'i2c_buses', 'firmware_health'],
      ...['firmware_identify', 'calibration', 'doctor'],
    ]);
    assert.match(String(report.timestamp), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.is(rig.moves().length, before, 'nothing moved');
    const both = join(rig.folder, 'both.json');
    const ended = await diag(rig, ['--calibrate', '--report', both, '--yes', '--json']).ended;
    assert.equal(documentOf(ended), { report_file: both });
    const { calibration } = JSON.parse(readFileSync(both, 'utf8')) as Record<string, Json>;
    assert.equal([calibration?.passed, calibration?.errors], [14, []]);
    const later = join(rig.folder, 'later.json');
    await diag(rig, ['--report', later]).ended;
    const latest = (JSON.parse(readFileSync(later, 'utf8')) as Record<string, Json>).calibration;
    assert.ok(Number(latest?.age_s) >= 0 && latest?.passed === 14, JSON.stringify(latest));
    const again = await diag(rig, ['--report', later]).ended;
    assert.equal([again.code, again.stderr.includes('--force')], [2, true]);
  },
  LONG,
);

test(
  'DIAG-040 hardware-check: all steps on a healthy bench pass or are skipped, a device that is not ok exits 1',
  async () => {
    const check = (...args: string[]) => launch('hardware-check', args, envOf(rig)).ended;
    const quick = await check('--quick');
    assert.equal(
      [quick.code, quick.stdout.trim().split('\n').at(-1)],
      [0, '3 passed, 0 failed, 0 skipped'],
      quick.stdout,
    );
    const pump = await check('--test-pump', '--yes');
    assert.is(pump.code, 0, pump.stdout);
    assert.match(pump.stdout, 'PASS pump: ran at duty 26, stopped, safe state safe');
    assert.is((await check('--test-pump')).code, 4, 'DIAG-031 not without consent');
    await rig.knobs('modbus-io', { silent: true });
    try {
      while (((await rig.get('/api/v1/hardware/health')) as Json).ok !== false);
      const bad = await check('--quick', '--json');
      const { ok, failed, steps } = documentOf(bad);
      assert.equal([bad.code, ok, failed], [1, false, 2], JSON.stringify(steps));
      assert.match(JSON.stringify(steps), 'modbus-io');
    } finally {
      await rig.knobs('modbus-io', { silent: false });
      while (((await rig.get('/api/v1/hardware/health')) as Json).ok !== true);
    }
  },
  LONG,
);

test(
  'DIAG-001 DIAG-002 nonsense and a bridge that is not there: one sentence, one document, the right exit code',
  async () => {
    const gone = { SVC_FIRMWARE_URL: 'http://127.0.0.1:9' };
    for (const [args, env, wanted] of [
      [['--health', '--json'], gone, 3],
      [['--calibrate', '--yes', '--json'], gone, 3],
      [['--list', '--health', '--json'], {}, 2],
      [['--nonsense', '--json'], {}, 2],
      [[], {}, 2],
    ] as const) {
      const { code, stdout, stderr } = await diag(rig, args, env).ended;
      assert.is(code, wanted, `${args.join(' ')}: ${stderr}`);
      if ((args as readonly string[]).includes('--json')) assert.is(documentOf({ stdout }).ok, false);
      else assert.match(stderr, 'Usage: svc-diag');
    }
  },
  LONG,
);

test.run();
