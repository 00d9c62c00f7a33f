import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { acquireLock } from '../../../src/lib/lock/lock.ts';
import { processIdOf } from '../../../src/lib/proc.ts';
import type { AdcService, Profile } from '../../../src/rig/profiles/profile.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { type Ended, end, launchReady } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { ProfileRig } from './profile-rig.ts';

const test = suite('svcctl profile and services');

const UP_LIMIT_MS = 8000;
const said = ({ code, stdout, stderr }: Ended) => `${code}\n${stdout}\n${stderr}`;

async function onRig(work: (rig: ProfileRig) => Promise<void>): Promise<void> {
  const rig = await ProfileRig.open();
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}

/** Switches, and proves that the rig is there when the command has ended. */
async function to(rig: ProfileRig, profile: Profile): Promise<Ended> {
  const ended = await rig.svcctl('profile', profile).ended;
  assert.is(ended.code, 0, said(ended));
  assert.is(await rig.whyNot(profile), undefined);
  return ended;
}

const pidOf = (rig: ProfileRig, name: AdcService): number => {
  const found = rig.processes().find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} does not run`);
  return found.pid;
};

async function jsonOf(
  rig: ProfileRig,
  ...args: string[]
): Promise<{ code: number | null; body: Record<string, unknown> }> {
  const { code, stdout } = await rig.svcctl(...args, '--json').ended;
  return { code, body: JSON.parse(stdout) as Record<string, unknown> };
}

/** The key of the HID twin's lock. */
async function hidKey(rig: ProfileRig): Promise<string> {
  const [hid] = await rig.locks();
  return hid?.keys[0] ?? '';
}

together(
  test,
  {
    'SVC-027 there and back: exactly the services of the profile run, and again changes nothing': () =>
      onRig(async (rig) => {
        const none = await rig.svcctl('profile').ended;
        assert.is(none.code, 0, said(none));
        assert.match(none.stdout, /profile +none chosen/);
        assert.match((await to(rig, 'stack')).stdout, /^profile stack: started svc-adc-stack \(\d/);
        const stack = pidOf(rig, 'svc-adc-stack');
        assert.match((await to(rig, 'stack')).stdout, 'ran already svc-adc-stack');
        assert.is(pidOf(rig, 'svc-adc-stack'), stack, 'it was left alone');
        const { stdout } = await to(rig, 'standalone');
        assert.match(stdout, 'stopped svc-adc-stack; started svc-adc-usb, svc-adc-uart');
        assert.is(readFileSync(rig.folder.profile, 'utf8'), 'standalone\n');
        const report = await jsonOf(rig, 'profile');
        assert.equal([report.code, report.body.ok, report.body.profile], [0, true, 'standalone']);
      }),

    'SVC-036 a leased rig keeps its profile: 75 with the name of the holder, and nothing was stopped': () =>
      onRig(async (rig) => {
        await to(rig, 'stack');
        const stack = pidOf(rig, 'svc-adc-stack');
        const bridge = await launchReady('svc-bridge', ['--port', '0'], {
          SVC_MOCK: '1',
          SVC_STATE_DIR: rig.folder.state,
        });
        appendFileSync(rig.folder.settings, `SVC_FIRMWARE_URL=${bridge.url}\n`);
        try {
          const lease = async (method: string, path: string, body?: object) =>
            (
              await fetch(`${bridge.url}/api/v1/lease${path}`, {
                method,
                headers: { 'content-type': 'application/json' },
                ...(body ? { body: JSON.stringify(body) } : {}),
              })
            ).json() as Promise<Record<string, unknown>>;
          const { lease_id: id } = await lease('POST', '', { owner: 'run 17', ttl_ms: 60_000 });
          const refused = await rig.svcctl('profile', 'standalone').ended;
          assert.is(refused.code, 75, said(refused));
          assert.match(refused.stderr, 'the rig is leased to run 17, nothing was stopped or started');
          assert.is(pidOf(rig, 'svc-adc-stack'), stack);
          assert.is(rig.profile, 'stack');
          await to(rig, 'stack');
          await lease('DELETE', `/${String(id)}`);
          await to(rig, 'standalone');
        } finally {
          await end(bridge);
        }
      }),

    'SVC-027 old services that do not end: the new one waits until they are gone': () =>
      onRig(async (rig) => {
        await to(rig, 'standalone');
        const old = [pidOf(rig, 'svc-adc-usb'), pidOf(rig, 'svc-adc-uart')];
        for (const pid of old) process.kill(pid, 'SIGSTOP');
        const program = rig.svcctl('profile', 'stack');
        const over = program.ended.then(() => true);
        let early = 0;
        // PM2 kills them after 8 s.
        while (!(await Promise.race([over, systemClock.sleep(10).then(() => false)])))
          if (
            old.some((pid) => processIdOf(pid) !== undefined) &&
            rig.processes().some(({ name }) => name === 'svc-adc-stack')
          )
            early++;
        const ended = await program.ended;
        assert.is(ended.code, 0, said(ended));
        assert.is(early, 0, 'the new service ran beside an old one');
        await rig.untilUp('stack', UP_LIMIT_MS);
      }),

    'a service that hangs: the report says so, and the same profile starts it anew': () =>
      onRig(async (rig) => {
        await to(rig, 'standalone');
        const [usb, uart] = [pidOf(rig, 'svc-adc-usb'), pidOf(rig, 'svc-adc-uart')];
        process.kill(usb, 'SIGSTOP');
        const report = await rig.svcctl('profile').ended;
        assert.is(report.code, 1, said(report));
        assert.match(report.stdout, `svc-adc-usb (pid ${usb}) hangs`);
        await to(rig, 'standalone');
        assert.not(processIdOf(usb));
        assert.is(pidOf(rig, 'svc-adc-uart'), uart, 'the other one was left alone');
      }),

    'SVC-027 a lock that another program holds: nothing is stopped or started, and the message says who and what to do':
      () =>
        onRig(async (rig) => {
          await to(rig, 'standalone');
          process.kill(pidOf(rig, 'svc-adc-usb'), 'SIGKILL');
          const since = '2025-01-15T10:00:00.000Z';
          const lock = await acquireLock({
            key: await hidKey(rig),
            identity: () => ({ service: 'svc-probe', pid: process.pid, port: 9, since }),
          });
          const uart = pidOf(rig, 'svc-adc-uart');
          const ended = await rig.svcctl('profile', 'stack').ended;
          assert.is(ended.code, 75, said(ended));
          assert.match(
            ended.stderr,
            `the HID chip is still held by svc-probe (pid ${process.pid}, port 9, since ${since}); nothing was stopped or started: kill ${process.pid}, then svcctl profile stack`,
          );
          assert.is(rig.profile, 'standalone');
          assert.equal(
            rig.processes().map(({ pid }) => pid),
            [uart],
            'the other service went on',
          );
          await lock.release();
          await to(rig, 'stack');
        }),

    'SVC-027 of two switches at once the second ends with 75 and says who switches': () =>
      onRig(async (rig) => {
        const [first, second] = [rig.svcctl('profile', 'stack'), rig.svcctl('profile', 'standalone')];
        const ended = await Promise.all([first.ended, second.ended]);
        assert.equal(ended.map(({ code }) => code).sort(), [0, 75], ended.map(said).join());
        const [refused] = ended.filter(({ code }) => code === 75);
        const winner = ended[0] === refused ? second : first;
        assert.match(
          refused?.stderr ?? '',
          `another switch of the profile is under way in ${rig.path} (pid ${winner.pid}`,
        );
      }),

    'SVC-025 a third one started by hand ends with 75, names the holder and disturbs no other': () =>
      onRig(async (rig) => {
        await to(rig, 'stack');
        const stack = pidOf(rig, 'svc-adc-stack');
        for (const name of ['svc-adc-usb', 'svc-adc-uart', 'svc-adc-stack'] as const) {
          const ended = await rig.byHand(name).ended;
          assert.is(ended.code, 75, said(ended));
          assert.match(ended.stderr, `is held by svc-adc-stack (pid ${stack}, port `);
        }
        assert.is(pidOf(rig, 'svc-adc-stack'), stack);
        assert.is(await rig.whyNot('stack'), undefined);
      }),

    'SVC-025 pm2 resurrect of an old dump beside the running profile: its services end with 75 and are not started again':
      () =>
        onRig(async (rig) => {
          const dump = join(rig.folder.pm2, 'dump.pm2');
          await to(rig, 'standalone');
          copyFileSync(dump, `${dump}.old`);
          await to(rig, 'stack');
          const stack = pidOf(rig, 'svc-adc-stack');
          copyFileSync(`${dump}.old`, dump);
          assert.is((await rig.pm2('resurrect')).code, 0);
          const states = async () =>
            (await rig.apps())
              .filter(({ name }) => name !== 'svc-adc-stack')
              .map(({ state, exitCode, restarts }) => ({ state, exitCode, restarts }));
          const held = { state: 'stopped', exitCode: 75, restarts: 0 };
          while ((await states()).some(({ state }) => state !== 'stopped')) await systemClock.sleep(50);
          await systemClock.sleep(1000);
          assert.equal(await states(), [held, held]);
          assert.is(pidOf(rig, 'svc-adc-stack'), stack);
          const { stdout } = await rig.svcctl('services').ended;
          assert.match(stdout, /svc-adc-usb +stopped: held by another owner/);
        }),

    'SVC-026 kill -9 of a service: PM2 starts it again and it owns its device': () =>
      onRig(async (rig) => {
        await to(rig, 'standalone');
        for (const name of ['svc-adc-usb', 'svc-adc-uart'] as const) {
          const killed = pidOf(rig, name);
          process.kill(killed, 'SIGKILL');
          while (processIdOf(killed)) await systemClock.sleep(5);
          await rig.untilUp('standalone', UP_LIMIT_MS);
        }
      }),

    'kill -9 of PM2: the tools say so, and a switch ends the orphans and puts the rig under a PM2 again':
      () =>
        onRig(async (rig) => {
          await to(rig, 'stack');
          const orphan = pidOf(rig, 'svc-adc-stack');
          for (const pid of rig.daemons()) process.kill(pid, 'SIGKILL');
          while (rig.daemons().length > 0) await systemClock.sleep(5);
          const services = await rig.svcctl('services').ended;
          assert.is(services.code, 3, said(services));
          assert.match(services.stderr, 'PM2 does not run for');
          assert.match(services.stdout, new RegExp(`svc-adc-stack +unsupervised +${orphan} `));
          const report = await rig.svcctl('profile').ended;
          assert.is(report.code, 1, said(report));
          assert.match(report.stdout, `svc-adc-stack (pid ${orphan}) has lost its supervisor`);
          assert.equal(rig.daemons(), [], 'asking starts no PM2');
          const { stdout } = await to(rig, 'stack');
          assert.match(stdout, `svc-adc-stack (pid ${orphan}, had lost its supervisor)`);
          assert.not(processIdOf(orphan));
        }),

    'a pm2 command that a killed switch has left is waited for: what it still starts is seen': () =>
      onRig(async (rig) => {
        const folder = join(rig.path, 'late', 'pm2', 'bin');
        mkdirSync(folder, { recursive: true });
        const script = join(folder, 'pm2');
        writeFileSync(script, "console.log('up'); setTimeout(() => {}, 1500)");
        const command = spawn(process.execPath, [script, 'start'], {
          env: { RIG_RUNTIME_DIR: rig.path },
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        await once(command.stdout, 'data');
        const program = rig.svcctl('profile', 'stack');
        const over = program.ended.then(() => true);
        let early = 0;
        while (!(await Promise.race([over, systemClock.sleep(10).then(() => false)])))
          if (processIdOf(command.pid ?? 0) && rig.processes().length > 0) early++;
        assert.is(early, 0, 'a service was started beside it');
        assert.is((await program.ended).code, 0);
      }),

    'a switch that is killed at any point is repaired by the next one': () =>
      onRig(async (rig) => {
        await to(rig, 'stack');
        for (const [ms, profile] of [
          [250, 'standalone'],
          [450, 'stack'],
          [650, 'standalone'],
        ] as const) {
          const program = rig.svcctl('profile', profile);
          await systemClock.sleep(ms);
          program.child.kill('SIGINT');
          await program.ended;
          await to(rig, profile);
        }
      }),

    'a service that refuses its settings: told with its last lines; repaired, the same command brings it up':
      () =>
        onRig(async (rig) => {
          const good = readFileSync(rig.folder.settings, 'utf8');
          writeFileSync(rig.folder.settings, `${good}UARTADC_BAUDRATE=1200\n`);
          const ended = await rig.svcctl('profile', 'standalone').ended;
          assert.is(ended.code, 3, said(ended));
          assert.match(ended.stderr, 'svc-adc-uart is not up (stopped)');
          assert.match(ended.stderr, /svc-adc-uart: .*UARTADC_BAUDRATE/);
          assert.match(ended.stderr, 'then svcctl profile standalone');
          writeFileSync(rig.folder.settings, good);
          await to(rig, 'standalone');
        }),

    'a damaged profile file is reported, never guessed, and the command writes it anew': () =>
      onRig(async (rig) => {
        await to(rig, 'stack');
        writeFileSync(rig.folder.profile, 'stac');
        const report = await rig.svcctl('profile').ended;
        assert.is(report.code, 1, said(report));
        assert.match(report.stdout, `${rig.folder.profile} contains "stac", which is not a profile`);
        const services = await rig.svcctl('services').ended;
        assert.is(services.code, 3, said(services));
        assert.match(services.stderr, 'which is not a profile');
        assert.match(services.stdout, /^svc-adc-stack +online /m);
        await to(rig, 'stack');
      }),

    'svcctl services shows what runs, from PM2, the kernel and the services themselves': () =>
      onRig(async (rig) => {
        const before = await rig.svcctl('services').ended;
        assert.is(before.code, 3, said(before));
        assert.match(before.stderr, `PM2 does not run for ${rig.path}`);
        assert.not(existsSync(join(rig.folder.pm2, 'rpc.sock')), 'asking starts no PM2');
        await to(rig, 'stack');
        const { body } = await jsonOf(rig, 'services');
        const rows = body.services as Record<string, unknown>[];
        const row = rows.find(({ name }) => name === 'svc-adc-stack');
        const [hid] = await rig.locks();
        assert.equal(
          [row?.state, row?.pid, row?.restarts, row?.port, row?.healthOk],
          [
            'online',
            pidOf(rig, 'svc-adc-stack'),
            0,
            typeof hid?.holder === 'object' ? hid.holder.port : undefined,
            true,
          ],
        );
        assert.ok(Number(row?.memoryBytes) > 10_000_000 && Number(row?.uptimeMs) >= 0);
        assert.ok(rows.some(({ name, state }) => name === 'svc-bridge' && state === 'not started'));
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
