import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { LspOptions } from '../../lsp/lsp-command.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl lsp` */
export function lspCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('lsp')
    .description('language server for editors, over standard input and output')
    .option('--stdio', 'accepted, because editors pass it; there is no other way')
    .option('--library <dir>', 'root of the macro libraries (else SVC_SCENARIO_DIR, ./scenarios)')
    .addHelpText(
      'after',
      `
An editor starts it and ends it. Names of the rig come from svc.yaml (SVC_CONFIG_PATH, else the folder that the editor
has opened). docs/editor.md shows how to set up an editor.`,
    )
    .action(async (options: LspOptions) => {
      const { lspCommand } = await import('../../lsp/lsp-command.ts');
      finish(await lspCommand(options, io));
    });
}
