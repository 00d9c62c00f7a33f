import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { completionModel } from './model.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const completionScript = (shell: keyof typeof SCRIPTS, program: Command): string =>
  SCRIPTS[shell](completionModel(program));
