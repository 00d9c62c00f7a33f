import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { ConfigStamp } from '../../src/lib/config/config-stamp.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { getJson } from './bench/bench-rig.ts';
import { end, launch } from './bench/program.ts';

const test = suite('svcctl config');

const QUICK = "GOAL:\n  SET NAME 'One reading'\n  GET AI01\n";

test(
  'SVC-067 an edit is marked at the services that read it, and apply starts these again and no others',
  async () => {
    const path = mkdtempSync(join(tmpdir(), 'config-'));
    const env = { RIG_RUNTIME_DIR: path };
    const scenario = join(path, 'scenario.oql');
    const config = join(path, 'svc.yaml');
    writeFileSync(scenario, QUICK);
    const svcctl = (...args: string[]) => launch('svcctl', args, env).ended;
    const start = launch('svc-start', ['--port', '0', '--bench-port', '0', '--scenario', scenario], env);
    try {
      await start.until('The rig is up');
      const [, bridge = ''] = [...start.text().matchAll(/http:\/\/127\.0\.0\.1:\d+(?= \(pid)/g)].map(String);
      const stamp = async () =>
        ((await getJson(`${bridge}/health`)) as { configuration: ConfigStamp }).configuration;
      const first = await stamp();
      assert.is(first.file, config);
      const pids = async () => {
        const { services } = JSON.parse((await svcctl('services', '--json')).stdout) as {
          services: { name: string; pid: number; config: { isCurrent: boolean } | null }[];
        };
        return new Map(services.map(({ name, pid, config: state }) => [name, { pid, state }]));
      };
      const before = await pids();
      assert.equal(before.get('svc-bridge')?.state?.isCurrent, true);

      appendFileSync(config, '# a comment changes nothing\nlimits: { pump: { max_power_pct: 10 } }\n');
      const marked = await svcctl('services');
      assert.is(marked.code, 1, marked.stdout);
      for (const name of ['svc-bridge', 'svc-pump', 'svc-lung', 'svc-guard'])
        assert.match(marked.stdout, new RegExp(`^${name} .* older \\(`, 'm'));
      for (const name of ['svc-sensors', 'svc-server'])
        assert.match(marked.stdout, new RegExp(`^${name} .* current `, 'm'));
      const checked = await svcctl('config', 'check');
      assert.equal([checked.code, checked.stdout.split('\n')[0]], [0, `${config}: valid`]);
      assert.match(checked.stdout, 'svc-bridge runs with an older one: svcctl config apply');

      const edited = readFileSync(config, 'utf8');
      appendFileSync(config, 'sensors: { ai1: {} }\n');
      for (const action of ['check', 'apply']) {
        const faulty = await svcctl('config', action);
        assert.is(faulty.code, 2, action);
        assert.match(faulty.stderr, config, action);
      }
      writeFileSync(config, edited);

      const lease = await fetch(`${bridge}/api/v1/lease`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ owner: 'somebody', ttl_ms: 60_000 }),
      });
      const { lease_id: id } = (await lease.json()) as { lease_id: string };
      const refused = await svcctl('config', 'apply');
      assert.is(refused.code, 75, refused.stderr);
      assert.match(refused.stderr, 'is leased to somebody');
      await fetch(`${bridge}/api/v1/lease/${id}`, { method: 'DELETE' });

      const applied = await svcctl('config', 'apply');
      assert.is(applied.code, 0, applied.stderr);
      const second = await stamp();
      assert.is.not(second.sha256, first.sha256);
      assert.ok(second.loaded_at > first.loaded_at);
      const after = await pids();
      for (const name of ['svc-sensors', 'svc-server'])
        assert.is(after.get(name)?.pid, before.get(name)?.pid, name);
      assert.is.not(after.get('svc-bridge')?.pid, before.get('svc-bridge')?.pid);
      const pump = await fetch(`${bridge}/api/v1/hardware/pump?power_pct=20`, { method: 'POST' });
      assert.is(pump.status, 422, 'the new limit holds');
    } finally {
      await end(start, 'SIGINT');
      rmSync(path, { recursive: true, force: true });
    }
  },
  { timeoutMs: 180_000 },
);

test('SVC-067 check of a file names a device that could not be opened as it is written', async () => {
  const path = mkdtempSync(join(tmpdir(), 'config-'));
  const file = join(path, 'rig.yaml');
  try {
    writeFileSync(
      file,
      'plugins: {modbus-io: {connection_type: modbus-rtu, connection_params: {line: io}}}\n',
    );
    const { code, stdout } = await launch('svcctl', ['config', 'check', file, '--json']).ended;
    const { ok, faults } = JSON.parse(stdout) as { ok: boolean; faults: { path: string; message: string }[] };
    assert.equal([code, ok, faults[0]?.path], [2, false, 'plugins.modbus-io']);
    assert.match(faults[0]?.message ?? '', 'no such line below lines');
    writeFileSync(file, 'schema_version: 1\n');
    const valid = await launch('svcctl', ['config', 'check', file]).ended;
    assert.equal([valid.code, valid.stdout], [0, `${file}: valid\n`]);
  } finally {
    rmSync(path, { recursive: true });
  }
});

test.run();
