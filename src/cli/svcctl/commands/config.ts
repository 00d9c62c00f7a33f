import { Argument, type Command } from 'commander';
import { suggest } from '../../../scenario/diagnostics/suggest.ts';
import type { ConfigOptions } from '../../config/config-check.ts';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';

const ACTIONS = ['check', 'apply'] as const;

/** `svcctl config [check [file] | apply]` */
export function configCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('config')
    .description('check svc.yaml; restart the services that run with an older version')
    .usage('[check [file] | apply] [options]')
    .addArgument(
      new Argument('[action]', 'none: check').choices(ACTIONS).argParser((word: string) => {
        if (ACTIONS.some((action) => action === word)) return word;
        const near = suggest(word, ACTIONS);
        throw usageError(
          `config "${word}" is unknown: ${near ? `did you mean ${near}?` : `use ${ACTIONS.join(' or ')}`}`,
        );
      }),
    )
    .addArgument(new Argument('[file]', "check: another file than the rig's"))
    .option('--json', 'print JSON and nothing else')
    .addHelpText(
      'after',
      `
Exit codes: 0 valid, or applied; 2 the file has faults; 3 a service cannot be started again; 75 the rig is leased.`,
    )
    .action(async (action = 'check', file: string | undefined, options: ConfigOptions) => {
      if (action === 'apply' && file !== undefined)
        throw usageError("config apply takes no file: the services read the rig's, see config check");
      if (action === 'apply') {
        const { configApply } = await import('../../config/config-apply.ts');
        finish(await configApply(options, io));
      } else {
        const { configCheck } = await import('../../config/config-check.ts');
        finish(await configCheck(file, options, io));
      }
    });
}
