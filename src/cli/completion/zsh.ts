import type { CommandModel, Offer, OptionModel, ProgramModel } from './model.ts';

const action = (offer: Offer): string => {
  switch (offer.kind) {
    case 'words':
      return `(${offer.words.join(' ')})`;
    case 'scenarios':
      return '_files -g "*.(oql|cql)"';
    case 'runs':
      return '_files -g "*.(oql|cql|yaml)"';
    case 'directories':
      return '_files -/';
    case 'files':
      return '_files';
    default:
      return ' ';
  }
};

/** In single quotes of the shell, and inside brackets of _arguments. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''");
const described = (text: string): string => quoted(text.replace(/[[\]:\\]/g, '\\$&'));

function optionSpec({ flags, description, value }: OptionModel): string {
  const [first = '', second] = flags;
  const tail = `[${described(description)}]${value ? `:value:${quoted(action(value))}` : ''}`;
  // Value options may be given again: the command line itself knows which.
  const repeat = value ? '*' : '';
  return second === undefined ? `'${repeat}${first}${tail}'` : `'${repeat}'{${first},${second}}'${tail}'`;
}

/** Completion for zsh, for sourcing after compinit. */
export function zshScript(commands: readonly CommandModel[], programs: readonly ProgramModel[]): string {
  const names = commands.map(({ name, description }) => `    '${name}:${described(description)}'`);
  const cases = commands.map(({ name, options, argument }) => {
    const specs = [
      ...options.map(optionSpec),
      "'--help[print help]'",
      `'*:${name}:${quoted(action(argument))}'`,
    ];
    return `    ${name}) _arguments -s ${specs.map((spec) => `\\\n      ${spec}`).join(' ')} ;;`;
  });
  return `#compdef svcctl
# zsh completion of svcctl: source <(svcctl completion zsh), after compinit
_svcctl() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    _files -g "*.(oql|cql|yaml)"
    return
  fi
  local command=run
  if [[ -n \${commands[(r)$words[2]:*]} ]]; then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
${cases.join('\n')}
  esac
}
compdef _svcctl svcctl
${programs.map(programScript).join('')}`;
}

function programScript({ name, options }: ProgramModel): string {
  const specs = [...options.map(optionSpec), "'--help[print help]'"];
  const command = `_${name.replaceAll('-', '_')}`;
  return `${command}() {
  _arguments -s ${specs.map((spec) => `\\\n    ${spec}`).join(' ')}
}
compdef ${command} ${name}
`;
}
