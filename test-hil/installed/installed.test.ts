import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { benchConfig } from '../../src/cli/start/bench-config.ts';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { temporaryFolder } from '../../src/test-kit/end-with-parent.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { archiveFolder, debianTar, installedMissing } from './debian-root.ts';
import { type Ended, InstalledMachine } from './installed-machine.ts';

const test = suite('the rig installed on Debian');
const missing = installedMissing();
const installed = test.needs(missing === undefined, missing ?? '');
/** Beside other work a container is slow. */
const SLOW = { timeoutMs: 300_000 };
const POLL_MS = 50;

const LINES = 'svc-safe-boot svc-guard svc-guard-partner svc-rig';
const PROOF = `GOAL:
  SET NAME 'Moves'
  SET valve-nc open
  ASSERT_VALVE valve-nc on
  SET pump 20 %
  GET AI01
  SET pump 0 %
  SET valve-nc close
`;
const DEVICES = `SVC_PUMP_SERIAL_PORT=/dev/twin-pump
SVC_LUNG_ADDRESS=bench:/opt/twins/tic.sock
SVC_I2C_BUS=bench:/opt/twins/ads1115.sock
USBADC_ADDRESS=bench:/opt/twins/usbhid.sock
UARTADC_SERIAL_PORT=/dev/twin-uart
SVC_GUARD_REHEARSE=0
`;
const PORTS = {
  'svc-bridge': 8202,
  'svc-server': 8200,
  'svc-pump': 49_055,
  'svc-lung': 8205,
  'svc-sensors': 8204,
} as Parameters<typeof benchConfig>[1];

let machine: InstalledMachine;

test.before(async () => {
  if (missing !== undefined) return;
  machine = await InstalledMachine.create(debianTar, archiveFolder(), temporaryFolder('installed-'));
}, SLOW);

test.after(async () => {
  await machine?.remove();
}, SLOW);

/** The whole file system but what every program may change: path, mode, owner and target, then contents. */
const PRUNED = './proc ./sys ./dev ./run ./tmp ./root/rig'
  .split(' ')
  .map((path) => `-path ${path}`)
  .join(' -o ');
const FIND = `find . -xdev \\( ${PRUNED} \\) -prune -o`;
const LISTING = `cd / && export LC_ALL=C && { ${FIND} -printf '%p %m %u %g %l\\n'; ${FIND} -type f -exec sha256sum '{}' + | awk '{print $2, $1}'; } | sort`;

async function ok(ended: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await ended;
  assert.is(code, 0, `${stdout}\n${stderr}`);
  return stdout;
}

/** Whatever comes of it in between. */
async function untilOk(command: () => Promise<Ended>): Promise<string> {
  for (;;) {
    const { code, stdout } = await command();
    if (code === 0) return stdout;
    await systemClock.sleep(POLL_MS);
  }
}

/** Every service that should run is well, and systemd or PM2 supervises it. */
const untilUp = () => untilOk(() => machine.runAs('operator', 'svcctl services'));

async function untilOff(): Promise<number> {
  const startedAt = performance.now();
  while ((await machine.outputsOn()).length > 0) await systemClock.sleep(POLL_MS);
  return performance.now() - startedAt;
}

const post = (what: string) =>
  machine.run(
    `/opt/svc-rig/current/node/bin/node -e 'fetch("http://127.0.0.1:8202/api/v1/hardware/${what}", {method: "POST"}).then(async (r) => {console.log(r.status, await r.text()); process.exit(r.ok ? 0 : 1)})'`,
  );

async function actuate(): Promise<void> {
  await untilOk(() => post('valve/valve-1?value=true'));
  await untilOk(() => post('pump?power_pct=40'));
  assert.equal(await machine.outputsOn(), ['coil 0', 'pump']);
}

installed(
  'IMG-017 install.sh installs into a plain Debian, and the second time changes nothing',
  async () => {
    await ok(machine.offline(`${LISTING} > /root/rig/before`));
    const first = await ok(machine.offline('/root/rig/install.sh'));
    assert.match(first, 'installed /opt/svc-rig/');
    const before = await ok(machine.offline(LISTING));
    assert.match(await ok(machine.offline('/root/rig/install.sh')), /^already installed, nothing changed$/m);
    assert.is(await ok(machine.offline(LISTING)), before);
    assert.not.match(first, /warning|cannot|fail/i);
  },
  SLOW,
);

installed(
  'IMG-020 at boot the safe state is complete before any service starts; then every service is well',
  async () => {
    const config = benchConfig('/opt/twins', PORTS)
      .replace('/opt/twins/modbus-io', '/dev/twin-modbus-io')
      .replace('/opt/twins/pump', '/dev/twin-pump');
    writeFileSync(join(machine.root, 'etc/svc/svc.yaml'), config);
    appendFileSync(join(machine.root, 'etc/svc/rig.env'), DEVICES);
    writeFileSync(join(machine.root, 'etc/svc/profile'), 'stack\n');
    await ok(machine.offline('chown rig:rig /etc/svc/profile'));
    await machine.boot();
    await untilUp();
    const times = await ok(
      machine.run(
        'systemctl show -P ExecMainExitTimestampMonotonic svc-safe-boot; for u in svc-guard svc-guard-partner svc-rig; do systemctl show -P ExecMainStartTimestampMonotonic $u; done',
      ),
    );
    const [safeAt = 0, ...startedAt] = times.trim().split('\n').map(Number);
    assert.ok(safeAt > 0 && startedAt.every((at) => at > safeAt), times);
    assert.is(
      (await ok(machine.run(`systemctl is-active ${LINES}`))).trim(),
      Array(4).fill('active').join('\n'),
    );
    assert.match(await ok(machine.run('journalctl -u svc-safe-boot -o cat')), 'safe state: safe (boot)');
  },
  SLOW,
);

installed(
  'IMG-020 after a power cut with outputs on, the next boot switches them off before any service starts',
  async () => {
    await actuate();
    await machine.cutPower();
    assert.equal(await machine.outputsOn(), ['coil 0', 'pump']);
    await machine.offline('systemctl disable svc-guard svc-guard-partner svc-rig');
    await machine.boot();
    assert.equal(await machine.outputsOn(), []);
    await ok(machine.run('systemctl enable --now svc-guard svc-guard-partner svc-rig'));
    await untilUp();
  },
  SLOW,
);

installed(
  'IMG-016 an operator runs svcctl doctor, a scenario, the profile switch and a restart, and nothing else',
  async () => {
    const as = (command: string) => machine.runAs('operator', command);
    const { stdout: doctor } = await as('svcctl doctor --json --no-probe');
    assert.type(JSON.parse(doctor), 'object');
    writeFileSync(join(machine.root, 'home/operator/proof.oql'), PROOF);
    await ok(machine.run('chown operator: /home/operator/proof.oql'));
    assert.match(await ok(as('svcctl validate proof.oql')), /\S/);
    await ok(as('svcctl run proof.oql --mode execute'));
    await ok(as('svcctl profile standalone'));
    await ok(as('svcctl profile stack'));
    await ok(as('sudo -n -u rig /usr/local/bin/pm2 restart svc-sensors'));
    await untilUp();
    const refused = [
      'sudo -n systemctl stop svc-guard',
      'sudo -n -u rig /bin/sh -c id',
      'sudo -n -u rig /usr/local/bin/svcctl run /home/operator/proof.oql',
      'sudo -n -u rig RIG_RUNTIME_DIR=/tmp /usr/local/bin/svcctl profile stack',
      'sudo -n -u rig /usr/local/bin/pm2 start /home/operator/proof.oql',
      'sudo -n -u rig /usr/local/bin/pm2 restart all',
      'sudo -n cat /etc/shadow',
      'systemctl --no-ask-password stop svc-guard',
      'kill -9 $(pgrep -f svc-guard.cjs | head -n 1)',
      'echo x >> /etc/svc/svc.yaml',
      'echo standalone > /etc/svc/profile',
      'mv /etc/svc/svc.yaml /etc/svc/other.yaml',
      'touch /var/lib/svc/x',
      'touch /run/svc-rig/x',
      'cat /run/svc-rig/pm2/pm2.log',
    ];
    for (const command of refused) assert.is.not((await as(command)).code, 0, command);
    await untilUp();
    assert.is(
      (await machine.run('su -s /bin/sh nobody -c "cat /etc/svc/rig.env || ls /var/lib/svc"')).code === 0,
      false,
    );
  },
  SLOW,
);

installed(
  'IMG-009 the profile is switched by svcctl and by plain pm2, and pm2 starts no service of the other profile',
  async () => {
    const names = async () => {
      const rows = JSON.parse((await machine.runAs('operator', 'svcctl services --json')).stdout) as {
        services: { name: string; state: string }[];
      };
      return rows.services
        .filter(({ name, state }) => name.startsWith('svc-adc') && state === 'online')
        .map(({ name }) => name);
    };
    assert.equal(await names(), ['svc-adc-stack']);
    const pm2 = (words: string) => machine.run(`pm2 ${words}`);
    const file = '/opt/svc-rig/current/ecosystem.config.cjs';
    await pm2(`start ${file} --only svc-adc-usb`);
    assert.equal(await names(), ['svc-adc-stack']);
    await ok(machine.run('echo standalone > /etc/svc/profile'));
    await ok(pm2('delete svc-adc-stack'));
    await ok(pm2(`start ${file} --only svc-adc-usb,svc-adc-uart`));
    await untilUp();
    assert.equal((await names()).sort(), ['svc-adc-uart', 'svc-adc-usb']);
    await ok(machine.runAs('operator', 'svcctl profile stack'));
    await untilUp();
    assert.equal(await names(), ['svc-adc-stack']);
  },
  SLOW,
);

installed(
  'IMG-009 a service that is killed is restarted, and what it moved is off; PM2 killed leaves no orphan',
  async () => {
    for (const name of ['svc-server', 'svc-sensors', 'svc-adc-stack', 'svc-lung', 'svc-pump', 'svc-bridge']) {
      await actuate();
      const [pid] = await machine.pidsOf(`dist/${name}.cjs`);
      assert.ok(pid, name);
      await ok(machine.run(`kill -9 ${pid}`));
      if (name === 'svc-bridge') await untilOff();
      else if (name === 'svc-pump')
        while ((await machine.outputsOn()).includes('pump')) await systemClock.sleep(POLL_MS);
      await untilUp();
      const now = await machine.pidsOf(`dist/${name}.cjs`);
      assert.is(now.length, 1, name);
      assert.is.not(now[0], pid, name);
      await untilOk(() => post('pump?power_pct=0'));
      await untilOk(() => post('valve/valve-1?value=false'));
    }
    await actuate();
    const before = await machine.pidsOf('dist/svc-bridge.cjs');
    await ok(machine.run(`kill -9 ${await machine.mainPid('svc-rig')}`));
    await untilOff();
    await untilUp();
    const after = await machine.pidsOf('dist/svc-bridge.cjs');
    assert.is(after.length, 1);
    assert.is.not(after[0], before[0]);
  },
  SLOW,
);

installed(
  'IMG-009 IMG-020 a guard that is killed or hangs is replaced, and the rig is guarded meanwhile',
  async () => {
    for (const signal of ['KILL', 'STOP']) {
      const pid = await machine.mainPid('svc-guard');
      await ok(machine.run(`kill -${signal} ${pid}`));
      while ([0, pid].includes(await machine.mainPid('svc-guard'))) await systemClock.sleep(POLL_MS);
      await untilUp();
    }
    const log = await ok(machine.run('journalctl -u svc-guard -o cat'));
    assert.match(log, /watches it and takes over|watching svc-bridge/);
  },
  SLOW,
);

for (const guards of [['svc-guard'], ['svc-guard', 'svc-guard-partner']])
  installed(
    `IMG-022 bridge and ${guards.join(' and ')} frozen at the same moment: the outputs are off, and all run again`,
    async () => {
      await actuate();
      const pids = [
        ...(await Promise.all(guards.map((unit) => machine.mainPid(unit)))),
        ...(await machine.pidsOf('dist/svc-bridge.cjs')),
      ];
      assert.is(pids.length, guards.length + 1);
      await ok(machine.run(`kill -STOP ${pids.join(' ')}`));
      const tookMs = await untilOff();
      const what = `bridge and ${guards.join(' and ')}`;
      process.stdout.write(`off ${(tookMs / 1000).toFixed(1)} s after ${what} were frozen\n`);
      await untilUp();
    },
    SLOW,
  );

installed(
  'IMG-009 systemctl stop leaves the outputs off and no process of the rig',
  async () => {
    await actuate();
    await ok(machine.run('systemctl stop svc-rig svc-guard'));
    assert.equal(await machine.outputsOn(), []);
    assert.is((await machine.run('pgrep -u rig')).code, 1);
  },
  SLOW,
);

installed(
  'IMG-017 install.sh --uninstall leaves settings and records alone, --purge nothing',
  async () => {
    await ok(machine.run('/root/rig/install.sh --uninstall'));
    assert.is((await machine.run('ls -d /opt/svc-rig /run/svc-rig /usr/local/bin/svcctl')).code, 2);
    assert.match(await ok(machine.run('ls /etc/svc')), 'svc.yaml');
    await ok(machine.run('/root/rig/install.sh --purge'));
    await machine.cutPower();
    await ok(machine.offline(`${LISTING} > /root/rig/after`));
    // What systemd and the accounts' tools keep of their own.
    const own =
      '^\\./(etc/(passwd|group|shadow|gshadow|subuid|subgid|\\.pwd|machine-id|resolv|\\.updated)|opt/twins|var/(\\.updated|log|lib/(systemd|dbus|private)|cache|spool|mail|tmp)|etc($| )|etc/systemd/system($| ))';
    const { stdout } = await machine.offline(
      `cd /root/rig; for f in before after; do grep -vE '${own}' $f > $f.own; done; diff before.own after.own`,
    );
    assert.is(stdout, '');
    assert.is((await machine.offline('getent passwd rig operator; getent group rig svc')).stdout, '');
  },
  SLOW,
);

test.run();
