import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { withRealOutput } from '../../src/test-kit/docs/console-examples.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { end, launch, root } from './bench/program.ts';

const test = suite('docs/change-the-configuration.md');

const PATH = join(root, 'docs/change-the-configuration.md');
/** Where the page stands for the folder of the test. */
const SHOWN_FOLDER = '/home/rig/svc-rig';

test(
  'a reader who follows the page literally sees what it shows',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'config-page-'));
    const env = { RIG_RUNTIME_DIR: join(directory, '.rig') };
    const start = launch('svc-start', ['--port', '0', '--bench-port', '0'], env);
    try {
      await start.until('The rig is up');
      const [, bridge = ''] = [...start.text().matchAll(/http:\/\/127\.0\.0\.1:\d+(?= \(pid)/g)].map(String);
      const page = readFileSync(PATH, 'utf8');
      const real = await withRealOutput(page, {
        directory,
        program: join(root, 'dist/svcctl.cjs'),
        env: { ...env, SVC_FIRMWARE_URL: bridge },
      });
      const shown = real.replaceAll(directory, SHOWN_FOLDER).replace(/\d+\.\d s left/g, '60.0 s left');
      // WRITE_DOCS=1 npm test -- change-the-configuration
      if (process.env.WRITE_DOCS === '1') writeFileSync(PATH, shown);
      else assert.is(page, shown);
    } finally {
      await end(start, 'SIGINT');
      rmSync(directory, { recursive: true, force: true });
    }
  },
  { timeoutMs: 180_000 },
);

test.run();
