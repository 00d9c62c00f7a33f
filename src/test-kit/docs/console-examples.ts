import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Pages whose console examples need no rig; `npm run docs` writes what they print. */
export const EXECUTED_PAGES = ['docs/first-scenario.md', 'docs/how-a-scenario-runs.md'] as const;

export interface Terminal {
  /** Where the commands run. */
  readonly directory: string;
  /** Bundle that `npx svcctl` stands for. */
  readonly program: string;
  readonly env?: Readonly<Record<string, string>>;
}

const FENCE = /^```(oql|yaml|console)\n(.*?)^```$/gms;
/** First line of a file: `# leak.oql` begins it, `# add to .rig/svc.yaml` adds to it. */
const FILE_NAME = /^# (add to )?(\S+)\n/;
const MARK = '\u0001';

/**
 * The page with the output that its console examples really have. Its fences are carried out from top to bottom, in one shell: `oql`
 * and `yaml` are files, named in their first line; `console` holds commands (`$ npx svcctl ...`), each followed by what it prints.
 * @throws when a file has no name
 */
export async function withRealOutput(page: string, terminal: Terminal): Promise<string> {
  const fences = [...page.matchAll(FENCE)].map(([, language = '', body = '']) => ({ language, body }));
  const script = fences.flatMap(({ language, body }) =>
    language === 'console' ? commandsOf(body).map(marked) : [fileCommand(body)],
  );
  const outputs = (await printed(script.join('\n'), terminal)).split(MARK).slice(1);
  return page.replace(FENCE, (fence, language: string, body: string) => {
    if (language !== 'console') return fence;
    const lines = commandsOf(body).map((command) => `$ ${command}\n${outputs.shift()}`);
    return `\`\`\`console\n${lines.join('')}\`\`\``;
  });
}

const commandsOf = (body: string): string[] =>
  body.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));

/** Its output begins with a mark; `$?` stays that of the command before. */
const marked = (command: string): string => `status=$?; printf '${MARK}'; (exit $status)\n${command}`;

function fileCommand(body: string): string {
  const [line, isAdded, name] = FILE_NAME.exec(body) ?? [];
  if (line === undefined) throw new Error(`this example begins with no "# name":\n${body}`);
  const [text, arrow] = isAdded ? [body.slice(line.length), '>>'] : [body, '>'];
  return `cat ${arrow} '${name}' <<'END OF FILE'\n${text}END OF FILE`;
}

function printed(script: string, { directory, program, env = {} }: Terminal): Promise<string> {
  const bin = join(directory, '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  return new Promise((resolve) => {
    const path = `${bin}:${process.env.PATH}`;
    const options = { cwd: directory, env: { PATH: path, ...env } };
    execFile('sh', ['-c', `exec 2>&1\n${script}`], options, (_error, stdout) => resolve(stdout));
  });
}
