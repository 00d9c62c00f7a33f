import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const NOBODY = 65534;
const transports = new URL('../../transports/', import.meta.url);

/** Root ignores permissions, so that their tests need another user, who must be able to read the sources. */
export const canBeNobody = process.getuid?.() === 0 && everybodyMayRead(fileURLToPath(import.meta.url));

/**
 * Runs the body of an async function as the user `nobody`, in a process of its own.
 *
 * @param body source text; `load(path)` imports a module of src/transports
 * @returns what the body returns, through JSON; an error of ours as `{code, message, address}`
 */
export function asNobody(body: string): Record<string, unknown> {
  const script = `
    const load = (path) => import(new URL(path, ${JSON.stringify(transports.href)}).href);
    const told = await (async () => { ${body} })().catch(({ code, message, address }) => ({ code, message, address }));
    process.stdout.write(JSON.stringify(told));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script],
    {
      uid: NOBODY,
      gid: NOBODY,
      cwd: fileURLToPath(transports),
      env: { PATH: process.env.PATH, HOME: '/tmp' },
      encoding: 'utf8',
      timeout: 20_000,
    },
  );
  if (stdout === '') throw new Error(`the child of nobody said nothing: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

function everybodyMayRead(path: string): boolean {
  if ((statSync(path).mode & 0o004) === 0) return false;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if ((statSync(folder).mode & 0o001) === 0) return false;
  return true;
}
