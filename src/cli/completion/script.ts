import { Command } from 'commander';
import { migrateCommandLine } from '../migrate/command-line.ts';
import { syncCommandLine } from '../sync/command-line.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { completionModel, programModel } from './model.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The completion of svcctl and of the programs beside it. */
export const completionScript = (shell: keyof typeof SCRIPTS, program: Command): string =>
  SCRIPTS[shell](completionModel(program), [
    programModel(syncCommandLine(new Command('svc-scenario-sync'))),
    programModel(migrateCommandLine(new Command('svc-scenario-migrate'))),
  ]);
