import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ownProcesses } from '../../../src/cli/start/own-processes.ts';
import { runtimeFolder } from '../../../src/cli/start/runtime-folder.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, launch, root } from '../bench/program.ts';

const test = suite('profiles beside npm start');

test(
  'a profile joins the rig that npm start has brought up, and ends with it',
  async () => {
    const path = mkdtempSync(join(tmpdir(), 'start-'));
    const env = { RIG_RUNTIME_DIR: path };
    const scenario = join(path, 'scenario.oql');
    writeFileSync(scenario, "GOAL:\n  SET NAME 'One reading'\n  GET AI01\n");
    const start = launch('svc-start', ['--port', '0', '--bench-port', '0', '--scenario', scenario], env);
    try {
      await start.until('The rig is up');
      const switched = await launch('svcctl', ['profile', 'standalone'], env).ended;
      assert.is(switched.code, 0, switched.stderr);
      const services = await launch('svcctl', ['services'], env).ended;
      assert.is(services.code, 0, services.stdout + services.stderr);
      for (const name of ['svc-bench', 'svc-bridge', 'svc-adc-usb', 'svc-adc-uart'])
        assert.match(services.stdout, new RegExp(`^${name} +online .* ok$`, 'm'));
    } finally {
      await end(start, 'SIGINT');
    }
    assert.equal(ownProcesses(runtimeFolder(root, path, root)), []);
    assert.equal(readdirSync(path).sort(), ['runs', 'scenario.oql']);
    assert.not(existsSync(join(path, 'profile')));
    rmSync(path, { recursive: true, force: true });
  },
  { timeoutMs: 60_000 },
);

test.run();
