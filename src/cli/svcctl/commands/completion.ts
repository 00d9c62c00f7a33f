import { Argument, type Command } from 'commander';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const isShell = (word: string): word is Shell => SHELLS.some((shell) => shell === word);

/** `svcctl completion` */
export function completionCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('completion')
    .description('print the shell completion script for svcctl')
    .addArgument(
      new Argument('<shell>', 'your shell').choices(SHELLS).argParser((word) => {
        if (isShell(word)) return word;
        throw usageError(`completion "${word}" is unknown: use ${SHELLS.join(', ')}`);
      }),
    )
    .addHelpText(
      'after',
      `
bash:  source <(svcctl completion bash)       in ~/.bashrc
zsh:   source <(svcctl completion zsh)        in ~/.zshrc, after compinit
fish:  svcctl completion fish | source        in ~/.config/fish/config.fish`,
    )
    .action(async (shell: Shell) => {
      const { completionScript } = await import('../../completion/script.ts');
      io.stdout.write(completionScript(shell, program));
      finish(0);
    });
}
