import type { CommandModel, Offer, ProgramModel } from './model.ts';

const call = (offer: Offer): string => {
  switch (offer.kind) {
    case 'words':
      return `_svcctl_words "${offer.words.join(' ')}"`;
    case 'scenarios':
      return '_svcctl_scenarios';
    case 'runs':
      return '_svcctl_runs';
    case 'directories':
      return '_svcctl_directories';
    case 'files':
      return '_svcctl_files';
    default:
      return ':';
  }
};

/** Completion for bash 4.4 and later. */
export function bashScript(commands: readonly CommandModel[], programs: readonly ProgramModel[]): string {
  const names = commands.map(({ name }) => name);
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flags, value }) =>
      value ? [`    ${flags.map((flag) => `${name}:${flag}`).join('|')}) ${call(value)}; return ;;`] : [],
    ),
  );
  const flags = commands.map(
    ({ name, options }) =>
      `      ${name}) _svcctl_words "${[...options.flatMap((option) => option.flags), '--help'].join(' ')}" ;;`,
  );
  const args = commands.map(({ name, argument }) => `    ${name}) ${call(argument)} ;;`);
  return `# bash completion of svcctl: source <(svcctl completion bash)
_svcctl_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_svcctl_files() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); }
_svcctl_directories() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); }
_svcctl_scenarios() {
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -d -- "$cur"; compgen -f -X '!*.[oc]ql' -- "$cur")
}
_svcctl_runs() {
  _svcctl_scenarios
  mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X '!*.yaml' -- "$cur")
}
_svcctl() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command=run
  COMPREPLY=()
  # "--mode=ex" arrives as three words.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "\${COMP_WORDS[1]}" in ${names.join('|')}) command="\${COMP_WORDS[1]}" ;; esac
  case "$command:$prev" in
${values.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$command" in
${flags.join('\n')}
    esac
    return
  fi
  if (( COMP_CWORD == 1 )); then
    _svcctl_runs
    mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "${names.join(' ')}" -- "$cur")
    return
  fi
  case "$command" in
${args.join('\n')}
  esac
}
complete -F _svcctl svcctl
${programs.map(programScript).join('')}`;
}

function programScript({ name, options }: ProgramModel): string {
  const values = options.flatMap(({ flags, value }) =>
    value ? [`    ${flags.join('|')}) ${call(value)}; return ;;`] : [],
  );
  const flags = [...options.flatMap((option) => option.flags), '--help'];
  return `_${name.replaceAll('-', '_')}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$prev" in
${values.join('\n')}
  esac
  _svcctl_words "${flags.join(' ')}"
}
complete -F _${name.replaceAll('-', '_')} ${name}
`;
}
