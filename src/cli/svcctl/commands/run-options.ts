import type { Command } from 'commander';
import { sensorOption, variableOption, variablesFileOption } from '../../options/assignment.ts';
import { durationOption } from '../../options/duration.ts';
import { choiceOption } from '../choice-option.ts';

export const MODES = ['dry-run', 'execute', 'validate'] as const;

/** Options that `run` and `cmd` share. */
export function addRunOptions(command: Command, mode: (typeof MODES)[number]): Command {
  const duration = (name: string, description: string) =>
    command.option(`${name} <duration>`, description, durationOption(name));
  command
    .addOption(
      choiceOption('-m, --mode <mode>', 'simulate, really act, or only check', MODES, (word) => word).default(
        mode,
      ),
    )
    .option('--firmware-url <url>', 'bridge (else SVC_FIRMWARE_URL, FIRMWARE_URL, http://127.0.0.1:8202)')
    .option('--server-url <url>', 'API server (else SVC_SERVER_URL, http://127.0.0.1:8200)')
    .option(
      '--sensor <NAME=value>',
      'reading in a dry-run, for example AI01=0.65 or "AI01=-12 mbar"; repeatable',
      sensorOption,
    )
    .option('--var <NAME=value>', 'value of a parameter, constant for the run; repeatable', variableOption)
    .option(
      '--vars <file>',
      'values of parameters from a YAML, JSON or CSV file; --var wins',
      variablesFileOption,
    )
    .option('--library <dir>', 'root of the macro libraries (else SVC_SCENARIO_DIR, ./scenarios)')
    .option('--strict', 'treat unknown names and scales of the rig as errors in a dry-run too')
    .option('--simulated', 'allow a bridge in mock mode; the result is not a test')
    .option('--without-guard', 'run without svc-guard; on a bench only')
    .option('--mirror', 'repeat pump and valve states as peripherals of the bridge');
  duration('--max-age', 'oldest reading that counts (1s)');
  duration('--timeout-command', 'time for one command, pauses aside (15s)');
  duration('--timeout-goal', 'time for one goal (15m)');
  duration('--timeout-run', 'time for the run (2h)');
  return command
    .option('--export-file <file>', "write SHELL_EXPORT lines NAME='value'")
    .option('--events <file>', 'write every event as it happens, one NDJSON line each')
    .option('--junit <file>', 'write JUnit XML, one test case per block')
    .option('--csv <file>', 'write one row for each check, for a spreadsheet')
    .option('--report <file>', 'write one HTML page with verdict, checks and plots')
    .option('--json', 'print the result as one JSON document')
    .option('-q, --quiet', 'print the last line only');
}
