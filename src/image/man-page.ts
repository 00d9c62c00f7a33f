/**
 * A manual page in section 1 from what a command prints for --help: its text is written once, in the program.
 * @param name of the page, for example `svcctl` or `svcctl-run`
 * @throws Error when the text is not the help of one of the rig's commands
 */
export function manPage(name: string, help: string, version: string): string {
  const [usage = '', purpose = '', ...sections] = help.trim().split(/\n{2,}/);
  if (!usage.startsWith('Usage: ')) throw new Error(`${name}: its --help does not begin with "Usage: "`);
  const summary = purpose.replace(/\s+/g, ' ').replace(/\.$/, '');
  const synopsis = usage
    .replace(/^Usage: /, '')
    .split('\n')
    .map((line) => line.trim());
  return [
    `.TH "${name.toUpperCase()}" 1 "" "svc-rig ${version}" "svc-rig"`,
    '.SH NAME',
    escaped(`${name} - ${summary}`),
    '.SH SYNOPSIS',
    verbatim(synopsis),
    ...sections.map(section),
    '',
  ].join('\n');
}

/** Commands that a program lists in its help, for a page of each. */
export function commandsIn(help: string): string[] {
  const [, list = ''] = /^Commands:\n((?: .*\n)+)/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => String(name))
    .filter((name) => name !== 'help');
}

function section(text: string): string {
  const [, title, body] = /^([A-Z][^\n]*):\n([\s\S]*)$/.exec(text) ?? [];
  if (title === undefined || body === undefined) return `.PP\n${escaped(text)}`;
  return `.SH ${title.toUpperCase()}\n${verbatim(body.split('\n').map((line) => line.replace(/^ {2}/, '')))}`;
}

const verbatim = (lines: readonly string[]): string => ['.nf', ...lines.map(escaped), '.fi'].join('\n');

/** Nothing in it is a request or an escape of troff. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}
