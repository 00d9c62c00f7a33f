import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { nodeFor } from '../../image/node-release.ts';
import { hostTarget } from '../../image/target.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';

// npm run test:node24 [-- options of npm test]: the tests on the Node that the image carries
const root = fileURLToPath(new URL('../../../', import.meta.url));

async function main(): Promise<void> {
  if (hostTarget === undefined) throw new Error('the image has Node for x64 and arm64 Linux only');
  const folder = join(await nodeFor(hostTarget, join(root, 'node_modules/.cache/svc-rig/image')), 'bin');
  const args = ['--import', 'tsx', 'src/test-kit/run.ts', '--prepare=build', ...process.argv.slice(2)];
  // Programs that a test starts by their name are the same Node.
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { status } = spawnSync(join(folder, 'node'), args, { cwd: root, env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

main().catch((fault: unknown) => {
  process.stderr.write(`test:node24: ${messageOf(fault)}\n`);
  process.exitCode = 1;
});
