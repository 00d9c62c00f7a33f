import type { Command } from 'commander';

export const DEFAULT_BASE = 'http://localhost:8096';

export interface SyncOptions {
  readonly base: string;
  readonly all?: true;
  readonly scenario?: string;
  readonly import?: true;
  readonly dir?: string;
  readonly out?: string;
  readonly validate: boolean;
}

/** The options of `svc-scenario-sync`. */
export const syncCommandLine = (program: Command): Command =>
  program
    .description('Moves scenarios between a scenario database and files.')
    .usage('(--all | --scenario <id> | --import --dir <dir>) [options]')
    .option('--base <url>', 'address of the scenario API', DEFAULT_BASE)
    .option('--all', 'export all scenarios into a ZIP archive')
    .option('--scenario <id>', 'export one scenario: its id, or a URL with a scenario parameter')
    .option('--out <file>', 'file to write (default: scenarios.zip; one scenario: standard output)')
    .option('--import', 'import the files of --dir, one PATCH for each scenario')
    .option('--dir <dir>', 'folder of an unpacked archive, or of files named <id>.oql')
    .option('--no-validate', 'import without validating against version 4')
    .addHelpText('after', EXAMPLES);

const EXAMPLES = `
Examples:
  svc-scenario-sync --all --out scenarios.zip           every scenario, with manifest.json
  svc-scenario-sync --scenario mask-leak                one scenario on standard output
  svc-scenario-sync --import --dir scenarios            back into the database

Exit codes: 0 done, 1 a scenario was not imported, 2 wrong usage or nothing could be done, 130 interrupted.`;
