import type { CommandModel, Offer, ProgramModel } from './model.ts';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const offered = (offer: Offer): string => {
  switch (offer.kind) {
    case 'words':
      return ` -f -a ${quoted(offer.words.join(' '))}`;
    case 'scenarios':
      return " -f -a '(__svcctl_scenarios)'";
    case 'runs':
      return " -f -a '(__svcctl_runs)'";
    case 'directories':
      return " -f -a '(__fish_complete_directories)'";
    case 'files':
      return ' -F';
    default:
      return ' -f';
  }
};

const flagText = (flag: string): string =>
  flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;

/** Completion for fish 3 and later. */
export function fishScript(commands: readonly CommandModel[], programs: readonly ProgramModel[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = commands.flatMap(({ name, description, options, argument }) => {
    const seen = `__fish_seen_subcommand_from ${name}`;
    // A scenario without a command is run.
    const when = name === 'run' ? `${seen}; or not __fish_seen_subcommand_from ${names}` : seen;
    return [
      `complete -c svcctl -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      `complete -c svcctl -n ${quoted(when)}${offered(argument)}`,
      ...options.map(
        (option) =>
          `complete -c svcctl -n ${quoted(when)} ${option.flags.map(flagText).join(' ')} -d ${quoted(option.description)}${option.value ? ` -r${offered(option.value)}` : ''}`,
      ),
    ];
  });
  return `# fish completion of svcctl: svcctl completion fish | source
function __svcctl_scenarios
  __fish_complete_suffix .oql
  __fish_complete_suffix .cql
end
function __svcctl_runs
  __svcctl_scenarios
  __fish_complete_suffix .yaml
end
${[...lines, ...programs.flatMap(programLines)].join('\n')}
`;
}

const programLines = ({ name, options }: ProgramModel): string[] => [
  `complete -c ${name} -f`,
  ...options.map(
    ({ flags, description, value }) =>
      `complete -c ${name} ${flags.map(flagText).join(' ')} -d ${quoted(description)}${value ? ` -r${offered(value)}` : ''}`,
  ),
];
