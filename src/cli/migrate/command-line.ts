import type { Command } from 'commander';
import type { WriteMethod } from '../../sync/migrate-rows.ts';
import { choiceOption } from '../svcctl/choice-option.ts';

export const DEFAULT_SOURCE = 'http://localhost:8096/api/v3/data/test_scenarios';
const METHODS = ['PATCH', 'PUT', 'POST'] as const;

export interface MigrateOptions {
  readonly sourceUrl: string;
  readonly scenario?: string;
  readonly preferLocal?: true;
  readonly apply?: true;
  readonly writeMethod: WriteMethod;
  readonly writeUrl?: string;
  readonly pretty?: true;
}

/** The options of `svc-scenario-migrate`. */
export const migrateCommandLine = (program: Command): Command =>
  program
    .description(
      'Migrates the scenarios of a database to version 4. Without --apply it only shows what would change.',
    )
    .option('--source-url <url>', 'list of rows with id, code and dsl', DEFAULT_SOURCE)
    .option('--scenario <id>', 'migrate this scenario alone')
    .option('--prefer-local', 'take <id>.oql of SVC_SCENARIO_DIR (else ./scenarios) as the new text')
    .option('--apply', 'write what was migrated')
    .addOption(
      choiceOption('--write-method <method>', 'method to write with', METHODS, (word) => word).default(
        'PATCH',
      ),
    )
    .option('--write-url <url>', 'address to write to, with {id} in place of the id')
    .option('--pretty', 'indent the JSON')
    .addHelpText('after', EXAMPLES);

const EXAMPLES = `
Examples:
  svc-scenario-migrate --source-url http://database:8096/api/v3/data/test_scenarios --pretty
  svc-scenario-migrate --scenario mask-leak --apply \\
    --write-url http://database:8096/api/v3/data/test_scenarios/{id}

Exit codes: 0 done, 1 a scenario is invalid, unsupported or not written, 2 wrong usage or no rows could be read,
130 interrupted.`;
