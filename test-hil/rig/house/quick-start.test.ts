import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { quickStart } from '../../../src/lib/bundle/quick-start.mjs';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { launch, root } from '../bench/program.ts';

const test = suite('svcctl starts at once');
const MARK = '\n/*SVC-REST\n';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder('quick-');
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('stop and --version need nothing of the rest of the program, which is ten times as large', () =>
  inFolder(async (folder) => {
    const whole = readFileSync(join(root, 'dist/svcctl.cjs'), 'utf8');
    const at = whole.indexOf(MARK);
    assert.ok(at > 0 && at * 8 < whole.length, `${at} of ${whole.length}`);
    const path = join(folder, 'svcctl.cjs');
    writeFileSync(path, `${whole.slice(0, at + MARK.length)}this is no program\n*/\n`);
    const version = await launch(path, ['--version']).ended;
    assert.equal([version.code, version.stdout, version.stderr], [0, '1.0.0\n', '']);
    const state = { SVC_STATE_DIR: join(folder, 'state'), SVC_HARDWARE_MODE: 'mock' };
    const stop = await launch(path, ['stop', '--json', '--firmware-url', 'http://127.0.0.1:9'], state).ended;
    assert.is(stop.code, 3, stop.stderr);
    assert.is((JSON.parse(stop.stdout) as { code: string }).code, 'stop_failed');
    assert.is.not((await launch(path, ['--help']).ended).code, 0);
  }));

test('the rest arrives as it was written, whatever is in it', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'both.cjs');
    const rest = `#!/usr/bin/env node\nconsole.log(/* a */ 'żółw */ /* ≤', /[−∞]/.test('∞'), __filename === module.filename);\n`;
    writeFileSync(path, quickStart('#!/usr/bin/env node\nmodule.exports = { quick: () => false };\n', rest));
    const { stdout, stderr } = await launch(path, []).ended;
    assert.equal([stdout, stderr], ['żółw */ /* ≤ true true\n', '']);
    assert.not.match(readFileSync(path, 'utf8'), /[\u0080-\uffff]/);
  }));

test.run();
