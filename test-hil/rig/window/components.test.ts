import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { inFolder } from '../../../src/test-kit/window/folder.ts';
import { motley, paint } from '../../../src/test-kit/window/pictures.ts';
import { end, launchReady } from '../bench/program.ts';
import { runWindow, withoutPackages } from './window-program.ts';

const test = suite('svc-window, built');
const SLOW = { timeoutMs: 120_000 };

type Body = Record<string, unknown>;

test(
  'WIN-005 WIN-034 without the detection component a PNG is analysed by all operations, and a JPEG needs it',
  () =>
    inFolder(({ png, file }) =>
      withoutPackages(async (bundle) => {
        const image = png('a.png', paint(motley(200, 150), 20, 20, 80, 60, [255, 255, 255]));
        const program = file('p.json');
        const run = async (...args: string[]) => {
          const { code, stdout } = await runWindow(args, {
            bundle,
            env: { SVC_STATE_DIR: file('state'), HOME: file('') },
          });
          return { code, body: JSON.parse(stdout) as Body };
        };
        const jpegFile = file('a.jpg');
        writeFileSync(jpegFile, Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'));
        for (const operation of ['detect', 'adopt']) {
          const { code, body } = await run(operation, '--image', jpegFile, '--file', program);
          assert.equal(
            [code, body.ok, body.code, body.component],
            [3, false, 'component_missing', 'detection'],
            operation,
          );
          assert.match(String(body.error), 'npm install sharp');
          assert.is(body.status, 501);
        }
        for (const args of [
          ['detect', '--image', image],
          ['adopt', '--image', image, '--file', file('q.json')],
          ['analyze', '--image', image, '--file', program],
          ['compare', '--image', image, '--file', program],
          ['refresh', '--image', image, '--file', program],
          ['summary', '--file', program, '--live'],
          ['diagnose', '--image', image, '--file', program, '--save'],
        ]) {
          const { code, body } = await run(...args);
          assert.equal([code, body.ok], [0, true], args[0]);
          if (args[0] !== 'diagnose') continue;
          const parts = (body.skipped as { part: string }[]).map(({ part }) => part);
          assert.ok(parts.includes('thumbnail') && parts.includes('ocr'), String(parts));
        }
        assert.is((await run('render', program, '--out', file('p.svg'))).code, 0);
        assert.is((await run('render', program, '--out', file('p.png'))).code, 3);
        const noImage = await run('compare', '--image', file('p.svg'), '--file', program);
        assert.is(noImage.body.code, 'image_unreadable');
      }),
    ),
  SLOW,
);

test(
  'WIN-001 WIN-002 the built service and the built command give one document; bad usage is exit code 2',
  () =>
    inFolder(async ({ png, file }) => {
      const image = png('a.png', paint(motley(300, 200), 40, 40, 120, 80, [240, 240, 240]));
      const env = { SVC_STATE_DIR: file('state'), SVC_CONFIG_PATH: '/dev/null' };
      const service = await launchReady('svc-window', ['serve', '--port', '0'], env);
      try {
        assert.match(service.url, /^http:\/\/127\.0\.0\.1:/);
        const post = async (operation: string, body: Body) => {
          const headers = { 'content-type': 'application/json' };
          return (
            await fetch(`${service.url}/v1/window/${operation}`, {
              method: 'POST',
              headers,
              body: JSON.stringify(body),
            })
          ).text();
        };
        assert.is(
          (await post('detect', { image })).trim(),
          (await runWindow(['detect', '--image', image], { env })).stdout.trim(),
        );
        await post('analyze', { image, file: file('p.json') });
        const compared = await runWindow(['compare', '--image', image, '--file', file('p.json')], { env });
        assert.is((await post('compare', { image, file: file('p.json') })).trim(), compared.stdout.trim());
        const health = (await (await fetch(`${service.url}/health`)).json()) as Body;
        assert.equal([health.ok, health.service], [true, 'svc-window']);
      } finally {
        assert.is((await end(service)).code, 0);
      }
      for (const args of [
        ['detect', '--what'],
        ['serve', '--port', 'x'],
        ['analyze', '--grid', 'x'],
        ['nothing'],
        ['detect'],
      ])
        assert.is((await runWindow(args, { env })).code, 2, String(args));
      assert.is(
        (await runWindow(['--version'], { env })).stdout.trim(),
        JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')).version,
      );
    }),
  SLOW,
);

test.run();
