import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a program of the guest ended. */
export interface ProgramEnd {
  /** null after a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The built command line as processes of the guest. */
export function programCommands() {
  return {
    /** @param uid account of the process; 0 is root */
    svcctl: (args: string[], env: Record<string, string> = {}, uid = 0): Promise<ProgramEnd> =>
      new Promise((resolve, reject) => {
        const bundle = fileURLToPath(new URL('svcctl.cjs', import.meta.url));
        const child = spawn(process.execPath, [bundle, ...args], {
          cwd: '/tmp',
          env: { HOME: '/tmp', PATH: '/bin', ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
          uid,
          gid: uid,
        });
        const said = { stdout: '', stderr: '' };
        for (const stream of ['stdout', 'stderr'] as const)
          child[stream].setEncoding('utf8').on('data', (text: string) => {
            said[stream] += text;
          });
        child.once('error', reject);
        child.once('close', (code) => resolve({ code, ...said }));
      }),
  };
}
