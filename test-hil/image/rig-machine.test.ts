import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock as clock } from '../../src/lib/clock/clock.ts';
import { seededRandom } from '../../src/lib/random/seeded-random.ts';
import { temporaryFolder } from '../../src/test-kit/end-with-parent.ts';
import { suite } from '../../src/test-kit/suite.ts';
import type { Ended } from '../hil/ssh.ts';
import { imageMissing } from './machine/built-image.ts';
import { ALL, COMBINATIONS, signalTo } from './machine/combinations.ts';
import { NO_LIMIT } from './machine/image-machine.ts';
import { RigMachine, WITHOUT_SERVICES } from './machine/rig-machine.ts';

const test = suite('the image in an emulated machine, with the twins as its devices');
const missing = imageMissing();
const isFull = process.env.RIG_TEST_IMAGE_FULL === '1';
const isSmoke = process.env.RIG_TEST_IMAGE_SMOKE === '1';
const only = process.env.RIG_TEST_ONLY ?? '';
const inMachine = among(missing);
const atLength = among(missing ?? (isSmoke ? 'left out by npm run test:image -- --smoke' : undefined));
const inFullRun = among(missing ?? (isFull ? undefined : 'needs npm run test:image -- --full'));

/** Registers tests that run unless there is a reason to skip them all, or `--only` names others. */
function among(why: string | undefined): (title: string, body: () => Promise<unknown>) => void {
  return (title, body) => {
    const reason = why ?? (title.includes(only) ? undefined : `left out by --only ${only}`);
    const inTheMachine = async () => {
      if (it === undefined) await configured();
      await body();
    };
    test.needs(reason === undefined, reason ?? '')(title, inTheMachine, NO_LIMIT);
  };
}

/** Of chance: printed, and given by RIG_TEST_SEED to repeat a run. */
const seed = Number(process.env.RIG_TEST_SEED ?? 1);
const cuts = isFull ? Number(process.env.RIG_TEST_CUTS ?? 20) : 0;
const rounds = Number(process.env.RIG_TEST_ROUNDS ?? 1);
/** Of the machine's time: guards, a restart of the services or a boot are all within it. */
const SOON_S = 300;
/** Of the machine's time, for the whole HIL suite. */
const HIL_S = 3600;

const HOLD = `GOAL:
  SET NAME 'Holds a valve and the pump'
  SET valve-nc open
  SET pump 30 %
  WAIT 300 s
  SET pump 0 %
  SET valve-nc close
`;

let folder: string;
/** Undefined before the first test. */
let it: RigMachine;
const kept = () => join(folder, 'kept');

test.before(() => {
  folder = temporaryFolder('machine-');
});

test.after(() => it?.end());

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function stage<T>(what: string, work: () => Promise<T>): Promise<T> {
  const [startedAt, machineStartedAt] = [clock.monotonic(), it.bench.clock.monotonic()];
  const result = await work();
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7);
  say(
    `${seconds(clock.monotonic() - startedAt)} s, ${seconds(it.bench.clock.monotonic() - machineStartedAt)} s of the machine's time  ${what}; QEMU has taken ${it.machine.processorS.toFixed(0)} s of processor time`,
  );
  return result;
}

/** In the machine's own time, which no other work on this host makes longer. */
const sayUptime = async () =>
  say(
    `services well ${(await it.ok('cut -d " " -f 1 /proc/uptime')).trim()} s of the machine's time after its start`,
  );

/** The image as it is built, with the settings that a person enters on a new rig, and all services well. */
async function configured(): Promise<void> {
  it = await RigMachine.create(join(folder, 'first'), clock);
  await stage('boot to a shell', () => it.powerOn({ kernelWords: WITHOUT_SERVICES }));
  await it.configure();
  await stage('configured, services well', () => it.rig.untilReady());
}

/** A copy of the machine as it was kept, with all devices plugged in and all services well. */
async function restored(): Promise<void> {
  if (!existsSync(kept())) await stage('unplugged and kept', () => it.keep(kept()));
  await it.end();
  it = await RigMachine.create(join(folder, 'restored'), clock, kept());
  await stage('restore to a shell', () => it.resume());
  await stage('devices plugged in, services well', () => it.rig.untilReady());
}

async function outputs(what: string, isWanted: (on: string[]) => boolean): Promise<void> {
  let on: string[] = [];
  const look = async () => {
    on = await it.bench.outputsOn();
    return isWanted(on);
  };
  await it.machine.until(what, look, SOON_S).catch((fault: Error) => {
    throw new Error(`on: ${on.join()}; ${fault.message}`);
  });
}

const allOff = () => outputs('all is off', (on) => on.length === 0);

/** Starts a run that holds outputs for minutes, as an operator does. */
async function startRun(): Promise<{ ended: Promise<Ended> }> {
  await it.rig.run('cat > hold.oql', HOLD);
  const ended = it.rig.run('svcctl run hold.oql --mode execute');
  const early = ended.then(({ stdout, stderr }) => Promise.reject(new Error(`it ended: ${stdout}${stderr}`)));
  early.catch(() => {});
  await Promise.race([outputs('valve and pump are on', (on) => on.join() === 'coil 0,pump'), early]);
  return { ended };
}

/** The same by svc-server, which keeps a record of it. Its folder of scenarios is read-only: another one is laid over it. */
async function startRecordedRun(): Promise<RunRow> {
  await it.ok(
    [
      'folder=$(readlink -f /opt/svc-rig/current/scenarios)',
      'mkdir -p /run/scenarios && cp -R $folder/. /run/scenarios',
      `cat >/run/scenarios/hold.oql <<'END'\n${HOLD}END`,
      'mount --bind /run/scenarios $folder',
    ].join('\n'),
  );
  const { code, stdout, stderr } = await it.rig.run('svcctl run hold --server --mode execute --detach');
  assert.is(code, 0, stdout + stderr);
  await outputs('valve and pump are on', (on) => on.join() === 'coil 0,pump');
  const [newest] = await runs();
  if (newest === undefined) throw new Error('svc-server lists no run');
  return newest;
}

interface RunRow {
  identity: { run_id: string };
  /** Null while it goes on. */
  ending: { status: string } | null;
}

async function runs(): Promise<RunRow[]> {
  const { stdout, stderr } = await it.rig.run('svcctl runs --json');
  assert.match(stdout, /^\{/, stderr);
  return (JSON.parse(stdout) as { runs: RunRow[] }).runs;
}

inMachine('IMG-003 every service is well after boot', sayUptime);

atLength(
  'IMG-003 IMG-006 every service is well again after all devices were unplugged and plugged in',
  restored,
);

inMachine('IMG-019 PM2 with all services, and the guards, have at most 600 MB of memory', async () => {
  const groups = ['svc-rig', 'svc-guard', 'svc-guard-partner'].map(
    (unit) => `/sys/fs/cgroup/system.slice/${unit}.service/cgroup.procs`,
  );
  // What each process has for itself, and its part of what is shared.
  const pss = await it.ok(
    `for pid in $(cat ${groups.join(' ')}); do grep -h ^Pss: /proc/$pid/smaps_rollup; done | awk '{sum += $2} END {print NR, sum * 1024}'`,
  );
  const [processes = 0, bytes = 0] = pss.split(' ').map(Number);
  say(`${processes} processes of the rig: ${(bytes / 1e6).toFixed(0)} MB`);
  assert.ok(processes >= 10, pss);
  assert.ok(bytes <= MOST_MEMORY_BYTES, pss);
});

const MOST_MEMORY_BYTES = 600e6;

inMachine('IMG-019 services start from code that was compiled when the image was built', async () => {
  const pid = '$(systemctl show --property MainPID --value svc-guard)';
  const folder = `$(tr '\\0' '\\n' </proc/${pid}/environ | grep ^NODE_COMPILE_CACHE=)`;
  const start = `NODE_DEBUG_NATIVE=COMPILE_CACHE /opt/svc-rig/current/node/bin/node /opt/svc-rig/current/dist/svc-guard.cjs --version`;
  const said = await it.ok(`setpriv --reuid rig --regid rig --init-groups env ${folder} ${start} 2>&1`);
  assert.match(said, /svc-guard\.cjs was accepted/);
});

inMachine('IMG-008 a scenario passes on the devices, and with a fault it ends with that fault', async () => {
  const passed = await stage('valve-smoke', () => it.rig.scenario('valve-smoke'));
  assert.is(passed.code, 0, passed.stdout + passed.stderr);
  assert.match(passed.stdout, /\n(\d+)\/\1 passed\n$/);
  if (isSmoke) return;
  await it.bench.set({ 'modbus-io': { coil_stuck: [0] } });
  const stuck = await it.rig.scenario('valve-smoke');
  assert.is(stuck.code, 3, stuck.stdout + stuck.stderr);
  assert.match(stuck.stdout + stuck.stderr, /valve-nc.*rejected/);
  await it.bench.reset();
  await it.rig.untilReady();
});

atLength(
  'IMG-007 the serial port of the ADC chip is not opened by a probe of doctor, and doctor names its driver',
  async () => {
    const isChip = 'grep -q PRODUCT=4d8/dd/ $t/device/uevent && basename $t';
    const own = (await it.run(`for t in /sys/class/tty/ttyACM*; do ${isChip}; done`)).stdout.trim();
    assert.match(own, /^ttyACM\d$/);
    const said = await it.rig.run('svcctl doctor --json');
    const { modbus } = JSON.parse(said.stdout).detection.probes as {
      modbus: { skipped_ports: { device: string }[] };
    };
    assert.ok(
      modbus.skipped_ports.some(({ device }) => device === `/dev/${own}`),
      JSON.stringify(modbus),
    );
  },
);

inMachine(
  'IMG-009 IMG-016 the operator switches the profile; by plain pm2 too, :8212 and :8214 are never both served',
  async () => {
    const listening = "ss -Hltn | awk '{print $4}' | grep -oE ':(8212|8214)$' | sort -u";
    const served = async () => (await it.run(listening)).stdout.trim().split('\n');
    assert.equal(await served(), [':8214']);
    if (!isSmoke) {
      const file = '/opt/svc-rig/current/ecosystem.config.cjs';
      await it.run(`pm2 start ${file} --only svc-adc-usb`);
      assert.equal(await served(), [':8214']);
    }
    const toStandalone = await stage('profile switch', () => it.rig.run('svcctl profile standalone'));
    assert.is(toStandalone.code, 0, toStandalone.stderr);
    await it.rig.untilReady();
    assert.equal(await served(), [':8212']);
    assert.is.not((await it.rig.run('sudo -n systemctl stop svc-guard')).code, 0);
    assert.is.not((await it.rig.run('echo x >> /etc/svc/svc.yaml')).code, 0);
    if (isSmoke) return;
    const back = await it.rig.run('svcctl profile stack');
    assert.is(back.code, 0, back.stderr);
    await it.rig.untilReady();
    assert.equal(await served(), [':8214']);
  },
);

atLength(
  'IMG-022 a frozen bridge with a frozen guard: the outputs are off, and the rig is well again',
  async () => {
    const { ended } = await startRun();
    await it.ok(signalTo(['bridge', 'guard'], 'STOP'));
    await stage('bridge and guard frozen, outputs off', allOff);
    await ended;
    await it.rig.untilReady();
  },
);

/** The power is cut during a run; what the devices keep on is off after the next boot, and the record says aborted. */
async function cutDuringRun(afterMs: number): Promise<void> {
  const { run_id } = (await startRecordedRun()).identity;
  await it.bench.clock.sleep(afterMs);
  await it.cutPower();
  assert.equal(await it.bench.outputsOn(), ['coil 0', 'pump']);
  await stage('power cut, boot to a shell', () => it.powerOn());
  await allOff();
  await it.rig.untilReady();
  await sayUptime();
  const after = await runs();
  const cut = after.find(({ identity }) => identity.run_id === run_id);
  assert.is(cut?.ending?.status, 'aborted', JSON.stringify(after));
  // Only the account of the services may read the key of this rig.
  const verified = await it.run(`setpriv --reuid rig --regid rig --init-groups svcctl verify ${run_id}`);
  assert.is(verified.code, 0, verified.stdout + verified.stderr);
}

inMachine(
  'IMG-010 IMG-002 the power is cut during a run: all is off after the next boot, no unit has failed, and the record of the run is aborted',
  async () => {
    await cutDuringRun(1000);
    const state = await it.machine.settled();
    assert.is(state, 'running', await it.ok('systemctl list-units --failed --no-legend'));
  },
);

/** Of the profile `stack`; bash asks them, since a process of Node for each question would be part of what is measured. */
const HEALTH = `up() { exec 3<>/dev/tcp/127.0.0.1/$1 && printf 'GET /health HTTP/1.0\\r\\nHost: 127.0.0.1\\r\\n\\r\\n' >&3 && grep -q '"ok":true' <&3; } 2>/dev/null
for port in 8200 8202 8204 8205 8214 49055; do until up $port; do sleep 0.2; done; done; cut -d ' ' -f 1 /proc/uptime`;

inFullRun(
  'IMG-019 boot until every service is well is told, beside a boot of the same image without them, in its own time',
  async () => {
    await it.cutPower();
    await it.powerOn();
    const wellS = Number(await it.ok(`bash -c ${quoted(HEALTH)}`));
    await it.rig.untilReady();
    await it.cutPower();
    await it.powerOn({ kernelWords: WITHOUT_SERVICES });
    assert.is(await it.machine.settled(), 'running');
    const [, bareS] = /= ([\d.]+)s/.exec(await it.ok('systemd-analyze time')) ?? [];
    say(`every service well after ${wellS} s; without services started after ${bareS} s`);
    assert.ok(wellS > Number(bareS), `${wellS}, ${bareS}`);
  },
);

inFullRun(
  'IMG-021 without a relay: all processes killed or frozen at once, and a kernel that crashes, leave the outputs off after restart or boot',
  async () => {
    await restored();
    for (const signal of ['KILL', 'STOP'] as const) {
      const { ended } = await startRun();
      await it.ok(signalTo(ALL, signal));
      await stage(`${signal} of ${ALL.join(', ')}: outputs off`, allOff);
      await ended;
      await it.run(signalTo(ALL, 'CONT'));
      await it.rig.untilReady();
    }
    // Nobody is left to close these connections.
    const { ended } = await startRun();
    ended.catch(() => {});
    it.run('echo c >/proc/sysrq-trigger').catch(() => {});
    await stage('kernel crashed: outputs off', allOff);
    await it.machine.until('root is let in again', async () => (await it.run('true')).code === 0);
    await it.rig.untilReady();
    assert.equal(await it.bench.outputsOn(), []);
  },
);

inFullRun(`IMG-006 IMG-008 the HIL suite passes, ${rounds} times one after the other`, async () => {
  for (let round = 1; round <= rounds; round++) {
    await restored();
    const { code, output } = await stage(`HIL suite ${round} of ${rounds}`, () =>
      it.machine.within('HIL suite', HIL_S, (signal) => hilSuite(it.benchFile(), signal)),
    );
    say(output);
    assert.is(code, 0, output);
    assert.not.match(output, /passed only when run again/);
  }
});

/** In a process of its own, as on a rig of somebody else. */
function hilSuite(config: string, signal: AbortSignal): Promise<{ code: number | null; output: string }> {
  const suite = spawn(process.execPath, ['--import', 'tsx', 'test-hil/hil/main.ts', '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [suite.stdout, suite.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    suite.once('error', reject);
    suite.once('close', (code) => resolve({ code, output }));
  });
}

inFullRun(
  `IMG-010 the power is cut ${cuts} times at random moments of boot, run and profile switch`,
  async () => {
    say(`seed ${seed}`);
    const random = seededRandom(seed);
    for (let cut = 1; cut <= cuts; cut++) {
      await restored();
      const [moment, delayMs] = [Math.floor(random() * 3), random() * 40_000];
      say(`cut ${cut} of ${cuts}: ${['run', 'boot', 'profile switch'][moment]}, ${delayMs.toFixed(0)} ms`);
      if (moment === 0) {
        await cutDuringRun(delayMs / 4);
        continue;
      }
      if (moment === 1) {
        await it.cutPower();
        const booting = it.powerOn();
        booting.catch(() => {});
        await it.bench.clock.sleep(delayMs);
      } else {
        const switching = it.rig.run('svcctl profile standalone');
        await Promise.race([switching, it.bench.clock.sleep(delayMs / 4)]);
      }
      await it.cutPower();
      await it.powerOn();
      await it.rig.untilReady();
      assert.equal(await it.bench.outputsOn(), []);
      assert.match((await it.ok('cat /etc/svc/profile')).trim(), /^(stack|standalone)$/);
    }
  },
);

inFullRun(
  'IMG-023 each single, pair and triple of bridge, guard, PM2, pump and lung, killed or frozen: the outputs are off',
  async () => {
    await restored();
    for (const signal of ['KILL', 'STOP'] as const)
      for (const names of COMBINATIONS) {
        const { ended } = await startRun();
        await it.ok(signalTo(names, signal));
        // What neither bridge nor pump belongs to leaves the run in command: then a stop has to work all the same.
        const isUnderCommand = !names.includes('bridge') && !names.includes('pump');
        if (isUnderCommand) await it.rig.run('svcctl stop');
        await stage(`${signal} of ${names.join(', ')}, outputs off`, allOff);
        await ended;
        await it.run(signalTo(names, 'CONT'));
        await it.rig.untilReady();
        if (isUnderCommand) await it.rig.run('svcctl stop --clear');
      }
  },
);

test.run();
