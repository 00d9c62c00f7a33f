import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import type { SvcctlProcess } from '../cli/svcctl-process.ts';

/** Pages whose console examples are executed; `npm run docs` writes what they print. */
export const EXECUTED_PAGES = ['docs/how-a-scenario-runs.md'] as const;

const FENCE = /^```(oql|console)\n(.*?)^```$/gms;
const FILE_NAME = /^# (\S+\.oql)\n/;

/**
 * The page with the output that its console examples really have. An `oql` fence is a file, named by the comment in its first line; a
 * `console` fence holds commands (`$ npx svcctl ...`, `$ echo $?`), each followed by what it prints.
 * @throws when a file has no name
 */
export function withRealOutput(page: string, svcctl: SvcctlProcess): string {
  chmodSync(svcctl.path(svcctl.write('.bin/npx', `#!/bin/sh\nshift\nexec "$NODE" "$SVCCTL" "$@"\n`)), 0o755);
  return page.replace(FENCE, (fence, language: string, body: string) => {
    if (language === 'console') return `\`\`\`console\n${consoleOutput(body, svcctl)}\`\`\``;
    const [, name] = FILE_NAME.exec(body) ?? [];
    if (name === undefined) throw new Error(`this example begins with no "# name.oql":\n${body}`);
    svcctl.write(name, body);
    return fence;
  });
}

function consoleOutput(body: string, { directory, program }: SvcctlProcess): string {
  let status: number | null = 0;
  return body
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => {
      if (line === '$ echo $?') return `${line}\n${status}\n`;
      const done = spawnSync('sh', ['-c', `exec 2>&1; ${line.slice(2)}`], {
        cwd: directory,
        encoding: 'utf8',
        env: {
          PATH: `${directory}/.bin:${process.env.PATH}`,
          NODE: process.execPath,
          SVCCTL: program,
        },
      });
      status = done.status;
      return `${line}\n${done.stdout}`;
    })
    .join('');
}
