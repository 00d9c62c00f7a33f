import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { benchDevices } from '../../src/cli/start/bench-config.ts';
import { rigPorts } from '../../src/cli/start/rig-ports.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { BenchRig, type BenchRigOptions } from '../rig/bench/bench-rig.ts';
import { type Ended, end, launch, launchReady, root } from '../rig/bench/program.ts';
import { together } from '../rig/bench/together.ts';
import { FAULTS, PASSING } from './cases.ts';

/**
 * A rig to run them on instead of the bench: RIG_FIRMWARE_URL names its bridge, SVC_CONFIG_PATH the `svc.yaml` with
 * the calibrations of its sensors. The faults need the bench.
 */
const rigUrl = process.env.RIG_FIRMWARE_URL;
const rigConfig = process.env.SVC_CONFIG_PATH ?? join(root, 'svc.yaml');

const test = suite(`shipped scenarios on ${rigUrl ?? 'the bench'}`);

async function onBench(
  options: BenchRigOptions,
  scenario: string,
  judge: (ended: Ended, rig: BenchRig) => void | Promise<void>,
): Promise<void> {
  const rig = await BenchRig.open(options);
  try {
    const ended = await rig.svcctl(['run', `scenarios/${scenario}.oql`, '--mode', 'execute']).ended;
    await judge(ended, rig);
  } finally {
    await rig.close();
  }
}

const passes = ({ code, stdout, stderr }: Ended) => {
  assert.is(code, 0, stdout + stderr);
  assert.match(stdout, /\n(\d+)\/\1 passed( \(bench, not a test\))?\n$/);
};

const works: Record<string, () => Promise<void>> = {};
for (const [scenario, knobs] of Object.entries(PASSING))
  works[`${scenario} passes`] = async () => {
    if (rigUrl === undefined)
      return onBench({ knobs }, scenario, async (ended, rig) => {
        passes(ended);
        assert.equal(await rig.outputsOn(), []);
      });
    const args = ['run', `scenarios/${scenario}.oql`, '--mode', 'execute', '--firmware-url', rigUrl];
    return passes(await launch('svcctl', args, { SVC_CONFIG_PATH: rigConfig }).ended);
  };

for (const { scenario, fault, knobs, code, says } of rigUrl === undefined ? FAULTS : [])
  works[`${scenario} with ${fault} ends with ${code}`] = () =>
    onBench({ knobs }, scenario, async (ended, rig) => {
      const text = ended.stdout + ended.stderr;
      assert.is(ended.code, code, text);
      assert.match(text, says);
      // An error is not a verdict on the device.
      const last = ended.stdout.trimEnd().split('\n').at(-1) ?? '';
      if (code === 1) assert.match(last, /, 1 failed/);
      assert.not.match(last, code === 1 ? /error/ : /failed/);
      assert.equal(await rig.outputsOn(), []);
    });

/** A converter that stands still once the mask is filled, and how the leak test ends: 3 is no verdict, 1 is one that is not passed. */
const FROZEN: readonly [device: 'ads1115' | 'usbhid', code: 1 | 3, says: RegExp][] = [
  ['ads1115', 3, /the conversion register is frozen/],
  ['usbhid', 1, /stands still though the mask is vented[\s\S]*\[failed\] Sensor follows the venting/],
];
const LEAK = ['run', 'scenarios/mask-leak.oql', '--mode', 'execute'];

/** A bench with a tight mask, whose AI01 comes from this converter. */
async function withConverter(device: string, body: (rig: BenchRig) => Promise<void>): Promise<void> {
  const port = (await rigPorts(0))['svc-sensors'];
  const map = `adc_map:\n  device: adc-stack\n  transport: http\n  base_url: http://127.0.0.1:${port}\n  channels:\n    ai01: { endpoint: /api/v1/adc/1, pin: G1, unit: V }\n`;
  const isMapped = device !== 'ads1115';
  const rig = await BenchRig.open({
    knobs: { plant: { leak: 0 } },
    ...(isMapped ? { config: map } : {}),
  });
  const env = { ...benchDevices(join(rig.folder, 'bench')), SVC_STATE_DIR: rig.folder };
  const stack = isMapped ? await launchReady('svc-adc-stack', ['--port', String(port)], env) : undefined;
  try {
    await body(rig);
  } finally {
    await rig.close();
    if (stack) await end(stack);
  }
}

for (const [device, code, says] of rigUrl === undefined ? FROZEN : []) {
  works[`mask-leak passes with a sound ${device}, whose code hardly changes`] = () =>
    withConverter(device, async (rig) => passes(await rig.svcctl(LEAK).ended));
  works[`mask-leak with a ${device} that stands still once the mask is filled ends with ${code}`] = () =>
    withConverter(device, async (rig) => {
      const run = rig.svcctl(LEAK);
      await run.until('[passed] Mask fills to 10 mbar');
      await rig.knobs(device, { freeze: true });
      const ended = await run.ended;
      const said = ended.stdout + ended.stderr;
      assert.is(ended.code, code, said);
      assert.ok(says.test(said), `${says} in\n${said}`);
      assert.equal(await rig.outputsOn(), []);
    });
}

const PULLED_OUT =
  'a module that is pulled out while a valve is open: error, and the open valve is not called closed';
if (rigUrl === undefined)
  works[PULLED_OUT] = async () => {
    const rig = await BenchRig.open();
    try {
      const run = rig.execute(
        "GOAL:\n  SET NAME 'Open'\n  SET valve-nc open\n  WAIT 8s\n  SET valve-nc close\n",
      );
      await rig.untilOutputs((on) => on.length === 1);
      await rig.knobs('modbus-io', { unplugged: true });
      const { code, stdout, stderr } = await run.ended;
      assert.is(code, 3, stdout);
      assert.match(stdout, 'error] Open');
      assert.match(stdout + stderr, /not brought to the safe state: .*valves/);
      assert.equal(await rig.outputsOn(), ['coil 0'], 'nothing reached the module');
    } finally {
      await rig.close();
    }
  };

// One at a time on a rig: it has one lease.
together(test, works, { timeoutMs: 90_000, atOnce: rigUrl === undefined ? 4 : 1 });

if (rigUrl !== undefined) test.skip('the faults', `they are turned on the bench, and this is ${rigUrl}`);

test.run();
