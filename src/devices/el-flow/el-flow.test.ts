import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { LibmodbusClient, libmodbusMissing } from '../../lab/device-benchmarks/libmodbus.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import type { TestBridge } from '../../test-kit/services/bridge.ts';
import { type BenchRig, openBenchRig } from '../../test-kit/services/rig.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { failure } from '../failure.ts';
import { appendCrc } from '../modbus-rtu/crc.ts';
import { RtuLine } from '../modbus-rtu/line.ts';
import { encodeRequest } from '../modbus-rtu/request.ts';
import { ElFlow } from './driver.ts';
import { type Parameter, readParameter } from './protocol.ts';
import { ElFlowTwin } from './twin.ts';

const test = suite('el-flow mass flow meter');
const UNIT = 3;

/** Driver and twin on one stepped clock, with nothing but bytes between them. */
async function inMemory() {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ address: 'memory', baud: 19200, isPaced: true });
  const flow = { lpm: 0, noise: () => 0 };
  const twin = new ElFlowTwin({
    clock,
    random: seededRandom(1),
    lineClock: clock,
    laggedFlow: () => () => flow.lpm + flow.noise(),
  });
  twin.slave.connect((bytes) => pipe.send(bytes));
  const asked: string[] = [];
  /** Replies that are sent in the twin's place, by request. */
  const replies = new Map<string, string>();
  pipe.onWritten((bytes) => {
    asked.push(hexOf(bytes));
    const reply = replies.get(hexOf(bytes));
    if (reply === undefined) twin.slave.receive(bytes);
    else clock.after(20, () => pipe.send(bytesOf(reply)));
  });
  const line = new RtuLine({ transport: pipe, baud: 19200, clock });
  await line.open();
  const meter = new ElFlow(line, { unit: UNIT });
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  return { clock, pipe, flow, twin, asked, replies, meter, step };
}

const FRAMES: Record<Parameter, [request: string, reply: string]> = {
  measure: ['03 03 00 20 00 01', '03 03 02 3E 80'],
  alarmInfo: ['03 03 00 34 00 01', '03 03 02 00 00'],
  capacity: ['03 03 81 68 00 02', '03 03 04 41 20 00 00'],
  capacityUnit: ['03 03 81 F8 00 04', '03 03 08 6C 6E 2F 6D 69 6E 00 00'],
  fmeasure: ['03 03 A1 00 00 02', '03 03 04 40 A0 00 00'],
  deviceType: ['03 03 F1 08 00 03', '03 03 06 44 4D 46 4D 00 00'],
};
const withCrc = (hex: string) => hexOf(appendCrc(bytesOf(hex)));

for (const [parameter, [request, reply]] of Object.entries(FRAMES) as [Parameter, [string, string]][])
  test(`${parameter} is asked with ${request}, and a meter of 10 ln/min at 50 % replies ${reply}`, async () => {
    const { clock, flow, twin, pipe } = await inMemory();
    flow.lpm = 5;
    assert.is(hexOf(encodeRequest(readParameter(UNIT, parameter))), withCrc(request));
    let received = '';
    twin.slave.connect((bytes) => {
      received = hexOf(bytes);
    });
    twin.slave.receive(bytesOf(withCrc(request)));
    await clock.advance(50);
    assert.is(received, withCrc(reply));
    await pipe.close();
  });

test('a reading is the flow in ln/min with its time, in two exchanges once the meter is known', async () => {
  const { clock, flow, meter, step, asked } = await inMemory();
  flow.lpm = 4.8;
  await step(meter.start());
  assert.is(meter.capacity, 10);
  const before = asked.length;
  const { normalLitresPerMinute, saturated, observedAt } = await step(meter.read());
  assert.ok(Math.abs(normalLitresPerMinute - 4.8) < 1e-6, String(normalLitresPerMinute));
  assert.equal([saturated, asked.length - before], [false, 2]);
  assert.ok(observedAt <= clock.now() && observedAt > clock.now() - 100);
});

test('millilitres become litres; a unit that means something else is refused', async () => {
  const { flow, meter, step, twin } = await inMemory();
  flow.lpm = 0.25;
  twin.knobs.patch({ capacity: 500, capacity_unit: 'mln/min' });
  assert.ok(Math.abs((await step(meter.read())).normalLitresPerMinute - 0.25) < 1e-6);
  assert.is(meter.capacity, 0.5);
  for (const capacity_unit of ['ls/min', 'g/h', '']) {
    twin.reset();
    twin.knobs.patch({ capacity_unit });
    const refused = await step(failure(meter.start()));
    assert.is(refused.code, 'setting_refused');
    assert.ok(
      refused.message.includes(`measures in "${capacity_unit}"; set its capacity unit to ln/min`),
      refused.message,
    );
  }
});

for (const [says, knobs] of [
  ['its device type is "DMFC"', { device_type: 'DMFC' }],
  ['it answers with Modbus exception 2', { exception: 2 }],
] as const)
  test(`another device is refused: ${says}`, async () => {
    const { meter, step, twin } = await inMemory();
    twin.knobs.patch(knobs);
    for (const work of [() => meter.start(), () => meter.probe(), () => meter.read()]) {
      const error = await step(failure(work()));
      assert.is(error.code, 'wrong_device');
      assert.ok(error.message.includes(says) && error.message.includes('unit id'), error.message);
    }
  });

for (const [info, says] of [
  [1, 'reports error,'],
  [128, 'reports hardware error,'],
  [129, 'reports error and hardware error,'],
] as const)
  test(`a flow that the meter flags with alarm info ${info} is an error and no value`, async () => {
    const { flow, meter, step, twin } = await inMemory();
    flow.lpm = 5;
    twin.knobs.patch({ alarm_info: info });
    const error = await step(failure(meter.read()));
    assert.is(error.code, 'device_error');
    assert.ok(error.message.includes(says), error.message);
    twin.knobs.patch({ alarm_info: 0b0111_1110 });
    assert.ok(
      Math.abs((await step(meter.read())).normalLitresPerMinute - 5) < 1e-6,
      'limits and warnings are no errors',
    );
  });

test('at either end of its output a reading is saturated', async () => {
  const { clock, flow, meter, step, twin } = await inMemory();
  const at = async (lpm: number) => {
    flow.lpm = lpm;
    const { normalLitresPerMinute, saturated } = await step(meter.read());
    return [Math.round(normalLitresPerMinute * 1000) / 1000, saturated];
  };
  assert.equal(await at(13.1), [13.1, false]);
  assert.equal(await at(13.11), [13.107, true]);
  assert.equal(await at(500), [13.107, true]);
  assert.equal(await at(-7), [-7, false]);
  assert.equal(await at(-8), [-7.373, true]);
  twin.knobs.patch({ capacity: 0.7 });
  flow.lpm = 0.95;
  await clock.advance(1000);
  assert.is((await step(meter.read())).saturated, true, 'also where the range is no short binary fraction');
});

test('a meter whose output ends one count early is saturated there too', async () => {
  const { flow, meter, step, twin } = await inMemory();
  twin.knobs.patch({ clips_early: 1 });
  for (const lpm of [500, -500]) {
    flow.lpm = lpm;
    assert.is((await step(meter.read())).saturated, true, String(lpm));
  }
  flow.lpm = (10 * (41_942 - 2)) / 32_000;
  assert.is((await step(meter.read())).saturated, false);
});

for (const [what, knobs, code] of [
  ['measures in a unit that cannot be used', { capacity_unit: 'g/h' }, 'setting_refused'],
  ['reports a hardware error', { alarm_info: 128 }, 'device_error'],
] as const)
  test(`a meter that ${what} fails its probe as it fails a reading`, async () => {
    const { meter, step, twin } = await inMemory();
    await step(meter.probe());
    twin.knobs.patch(knobs);
    for (const work of [() => meter.probe(), () => meter.read()])
      assert.is((await step(failure(work()))).code, code);
  });

test('a capacity that was changed counts within a second', async () => {
  const { clock, flow, meter, step, twin } = await inMemory();
  flow.lpm = 9;
  assert.is((await step(meter.read())).saturated, false);
  twin.knobs.patch({ capacity: 5 });
  await clock.advance(1000);
  assert.is((await step(meter.read())).saturated, true);
});

for (const [what, parameter, data, code] of [
  ['a flow that is no number', 'fmeasure', '04 7F C0 00 00', 'corrupt_response'],
  ['an infinite flow', 'fmeasure', '04 7F 80 00 00', 'corrupt_response'],
  ['a flow beyond the output', 'fmeasure', '04 41 60 00 00', 'corrupt_response'],
  ['a capacity of 0', 'capacity', '04 00 00 00 00', 'corrupt_response'],
  ['a capacity that is no number', 'capacity', '04 7F C0 00 00', 'corrupt_response'],
] as const)
  test(`${what} is an error and no value`, async () => {
    const { meter, step, replies } = await inMemory();
    replies.set(withCrc(FRAMES[parameter][0]), withCrc(`03 03 ${data}`));
    if (parameter === 'capacity') assert.is((await step(failure(meter.start()))).code, code);
    assert.is((await step(failure(meter.read()))).code, code);
  });

for (const [fault, code] of [
  [{ silent: true }, 'device_timeout'],
  [{ deaf: true }, 'device_timeout'],
  [{ bad_crc: true }, 'corrupt_response'],
  [{ truncate: 5 }, 'corrupt_response'],
  [{ foreign: true }, 'corrupt_response'],
  [{ exception: 4 }, 'modbus_exception'],
] as const)
  test(`with ${JSON.stringify(fault)} there is no value; without it the meter is identified anew`, async () => {
    const { flow, meter, step, twin } = await inMemory();
    flow.lpm = 5;
    await step(meter.read());
    twin.knobs.patch(fault);
    const error = await step(failure(meter.read()));
    assert.equal([error.code, error.device], [code, 'el-flow']);
    assert.is(meter.capacity, undefined);
    twin.reset();
    assert.ok(Math.abs((await step(meter.read({ deadlineMs: 20_000 }))).normalLitresPerMinute - 5) < 1e-6);
  });

test('DEV-056 a silent meter has the line for less than half a second, also right behind another lost reply', async () => {
  const { clock, meter, step, twin } = await inMemory();
  await step(meter.start());
  twin.knobs.patch({ silent: true });
  for (const work of [() => meter.read(), () => meter.read(), () => meter.probe(), () => meter.start()]) {
    const begunAt = clock.monotonic();
    assert.is((await step(failure(work()))).code, 'device_timeout');
    const hadMs = clock.monotonic() - begunAt;
    assert.ok(hadMs < 500, String(hadMs));
  }
});

test('a late, repeated or damaged reply never gives a wrong flow, also where the flow changes all the time', async () => {
  const { clock, flow, meter, step, twin } = await inMemory();
  const random = seededRandom(7);
  const faults = [
    { late_ms: 650 },
    { stray_ms: 1500 },
    { stray_ms: 2500 },
    { repeat_after_ms: 20 },
    { bad_crc: true },
    { doubled: true },
  ];
  flow.noise = () => 0.004 * (random() - 0.5);
  let readings = 0;
  for (let round = 0; round < 60; round++) {
    const lpm = round % 10;
    flow.lpm = lpm;
    if (round % 3 === 0) twin.slave.faultOnce(faults[Math.floor(random() * faults.length)] ?? {});
    const reading = await step(meter.read({ deadlineMs: 20_000 }).catch(() => undefined));
    if (!reading) continue;
    assert.ok(
      Math.abs(reading.normalLitresPerMinute - lpm) < 0.01 + 0.002,
      `${reading.normalLitresPerMinute} in ${round}`,
    );
    readings += 1;
    await clock.advance(5);
  }
  assert.ok(readings > 10, String(readings));
});

const missing = libmodbusMissing();
test.needs(missing === undefined, missing ?? '')(
  'libmodbus in C reads the registers of the meter beside the valve board, and cannot write them',
  async () => {
    const { bench, close } = await openBenchRig({ with: ['el-flow'] });
    const place = { kind: 'rtu', path: bench.addresses['el-flow'], baud: 19200, unit: UNIT } as const;
    const client = new LibmodbusClient(place);
    try {
      await bench.setKnobs('el-flow', { zero_drift_pct: 50 });
      assert.is(await client.ask('3 0x0020 1'), 'ok 16000');
      assert.is(await client.ask('3 0xA100 2'), `ok ${0x40a0} 0`);
      assert.is(await client.ask('3 0x8168 2'), `ok ${0x4120} 0`);
      assert.is(await client.ask('3 0xF108 3'), `ok ${0x444d} ${0x464d} 0`);
      assert.is(await client.ask('3 0x0034 1'), 'ok 0');
      assert.is(await client.ask('3 0x0033 1'), 'exception 2');
      assert.is(await client.ask('6 0x0034 1'), 'exception 1');
    } finally {
      await client.close();
      await close();
    }
  },
);

/** Configuration and scenario as docs/svc-yaml.md has them. */
const page = readFileSync('docs/svc-yaml.md', 'utf8');
const example = (language: 'yaml' | 'oql'): string => {
  const blocks = page.slice(page.indexOf('A flow meter on the line of the valves')).split('```');
  return blocks.find((block) => block.startsWith(`${language}\n`))?.slice(language.length + 1) ?? '';
};
const svcctl = new SvcctlProcess();
let rig: BenchRig;
let bridge: TestBridge;
test.before(async () => {
  await svcctl.build();
  rig = await openBenchRig({
    with: ['el-flow'],
    svcYaml: (addresses) =>
      example('yaml')
        .replace('/dev/serial/by-id/usb-1a86-if00', addresses['el-flow'])
        .replace('/dev/serial/by-id/usb-1a86-if01', addresses.pump),
  });
  bridge = await rig.start();
  svcctl.write('svc.yaml', rig.yaml);
});
test.before.each(() => rig.bench.reset());
test.after(async () => {
  svcctl.dispose();
  await rig.close();
});

/** Runs the scenario of the page on the bench. @param power percent in place of 50 */
const start = (power = 50) => {
  svcctl.write('flow.oql', example('oql').replace('50 %', `${power} %`));
  const options = ['--mode', 'execute', '--without-guard', '--firmware-url', bridge.url];
  return svcctl.start(['run', 'flow.oql', ...options], { env: { SVC_CONFIG_PATH: svcctl.path('svc.yaml') } });
};
const CHECK = 'CHECK flow 4.5 .. 4.8 ln/min';
const isSafe = () => {
  const { coils, pump } = rig.bench.outputs;
  return !coils.includes(true) && pump.fraction === 0;
};

type Finished = Awaited<ReturnType<typeof start>['finished']>;

/** What the driver reports on a machine too loaded to keep the time that a sensor has beside the valves. */
const STARVED = 'while an actuator on this line waited';

/** Runs again after a run that the load of the machine ended before its fault could. */
async function unstarved(run: () => Promise<Finished>, fault = 'no fault'): Promise<Finished> {
  for (;;) {
    const finished = await run();
    const said = (finished.stdout + finished.stderr).toLowerCase();
    if (!said.includes(STARVED) || said.includes(fault.toLowerCase())) return finished;
    assert.is(finished.code, 3, said);
    assert.ok(isSafe());
  }
}

for (const [power, code, says] of [
  [50, 0, `[passed] ${CHECK} = 4.6`],
  [30, 1, `[failed] ${CHECK} = 2.`],
] as const)
  test(`with the pump at ${power} % the scenario of the page exits with ${code}`, async () => {
    const run = await unstarved(() => start(power).finished);
    assert.is(run.code, code, run.stdout + run.stderr);
    assert.ok(run.stdout.includes(says), run.stdout);
    assert.ok(isSafe());
  });

for (const [fault, says] of [
  [{ silent: true }, 'was not answered within'],
  // The wrong bit may be one of any byte: of the CRC, of a value, of the unit.
  [{ bad_crc: true }, 'received an invalid reply'],
  [{ alarm_info: 128 }, 'hardware error'],
  [{ device_type: 'DMFC' }, 'its device type is "DMFC"'],
  [{ capacity: 3 }, 'saturated'],
] as const)
  test(`a meter that gets ${JSON.stringify(fault)} during the run is an error and never passes`, async () => {
    const { code, stdout, stderr } = await unstarved(async () => {
      await rig.bench.reset();
      const run = start();
      await run.until('[passed] SET pump 50 %').catch(() => {});
      await rig.bench.setKnobs('el-flow', fault);
      return run.finished;
    }, says);
    assert.is(code, 3, stdout + stderr);
    assert.ok(
      stdout.includes(`[error] ${CHECK}`) && stdout.toLowerCase().includes(says.toLowerCase()),
      stdout,
    );
    assert.ok(isSafe());
  });

for (const args of [
  ['validate', 'litres.oql', '--strict'],
  ['run', 'litres.oql', '--mode', 'execute', '--without-guard'],
])
  test(`svcctl ${args[0]} refuses a limit in l/min: the meter shows 7 % less than the litres of air at 20 °C`, async () => {
    svcctl.write('litres.oql', example('oql').replace('4.5 .. 4.8 ln/min', '4.5 .. 4.8 l/min'));
    const options = ['--firmware-url', bridge.url];
    const env = { SVC_CONFIG_PATH: svcctl.path('svc.yaml') };
    const { code, stdout, stderr } = await svcctl.start(args[0] === 'run' ? [...args, ...options] : args, {
      env,
    }).finished;
    assert.is(code, args[0] === 'run' ? 2 : 1, stdout + stderr);
    assert.match(stdout + stderr, /SCN227.*flow measures ln\/min.*mass of gas.*ask in ln\/min/s);
    assert.ok(isSafe());
  });

test('a run is refused while the meter that it needs is silent', async () => {
  await rig.bench.setKnobs('el-flow', { silent: true });
  const { code, stdout, stderr } = await start().finished;
  assert.is(code, 3, stdout + stderr);
  assert.match(stderr, /SCN409.*the sensor \(flow\), which is not ready/s);
  assert.ok(isSafe());
});

test('while the meter is silent the valves can be switched, and every step of the safe state ends within its limit', async () => {
  await rig.bench.setKnobs('el-flow', { silent: true });
  let opened: Awaited<ReturnType<typeof bridge.call>>;
  let reading: typeof opened;
  do {
    await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
    const asked = bridge.call('GET /api/v1/hardware/sensor/flow');
    opened = await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true');
    reading = await asked;
    // A board that a busy machine has lost is made safe when it is back.
  } while (opened.body.code === 'superseded');
  assert.equal([opened.status, opened.body.verified], [200, true], JSON.stringify(opened.body));
  assert.is(reading.status, 504);

  const readings = Array.from({ length: 4 }, () => bridge.call('GET /api/v1/hardware/sensor/flow'));
  const { status, body } = await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  assert.equal([status, body.outcome], [200, 'safe'], JSON.stringify(body));
  assert.ok(isSafe());
  for (const one of readings) assert.ok((await one).status >= 500);
  assert.is(bridge.bridge.safeState.notSafe, null);
  assert.not.match(bridge.logged.join('\n'), /actuator lost/);
});

test.run();
