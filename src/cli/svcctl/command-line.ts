import { Command } from 'commander';
import { version } from '../../lib/version.ts';
import type { Io } from '../io/io.ts';
import { adcConfirmCommandLine } from './commands/adc-confirm.ts';
import { benchCommandLine } from './commands/bench.ts';
import { calibrateCommandLine } from './commands/calibrate.ts';
import { calibrationCommandLine } from './commands/calibration.ts';
import { cmdCommandLine } from './commands/cmd.ts';
import { completionCommandLine } from './commands/completion.ts';
import { configCommandLine } from './commands/config.ts';
import { diagnosticsCommandLines } from './commands/diagnostics.ts';
import { explainCommandLine } from './commands/explain.ts';
import { followCommandLine } from './commands/follow.ts';
import { formatCommandLine } from './commands/format.ts';
import { holdCommandLine } from './commands/hold.ts';
import { leaseCommandLine } from './commands/lease.ts';
import { lspCommandLine } from './commands/lsp.ts';
import { profileCommandLine } from './commands/profile.ts';
import { reportCommandLine } from './commands/report.ts';
import { runCommandLine } from './commands/run.ts';
import { runsCommandLine } from './commands/runs.ts';
import { servicesCommandLine } from './commands/services.ts';
import { showCommandLine } from './commands/show.ts';
import { stopCommandLine } from './commands/stop.ts';
import { updateCommandLine } from './commands/update.ts';
import { validateCommandLine } from './commands/validate.ts';
import { validateDirCommandLine } from './commands/validate-dir.ts';
import { verifyCommandLine } from './commands/verify.ts';
import { usageSentence } from './usage-sentence.ts';

/** How a command reports its exit code. */
export type Finish = (exitCode: number) => void;

/**
 * The whole command line. What a command does is loaded when it is called: `validate` never pays for what `run`
 * needs.
 */
export function commandLine(io: Io, finish: Finish): Command {
  const program = new Command('svcctl');
  program
    .description('Runs, checks and formats scenarios of the test rig.')
    .usage('[command] [options]\n       svcctl <scenario> [options of run]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', EXAMPLES);
  for (const add of [
    runCommandLine,
    cmdCommandLine,
    validateCommandLine,
    validateDirCommandLine,
    explainCommandLine,
    formatCommandLine,
    lspCommandLine,
    stopCommandLine,
    leaseCommandLine,
    holdCommandLine,
    followCommandLine,
    runsCommandLine,
    showCommandLine,
    reportCommandLine,
    updateCommandLine,
    verifyCommandLine,
    diagnosticsCommandLines,
    benchCommandLine,
    profileCommandLine,
    servicesCommandLine,
    adcConfirmCommandLine,
    calibrateCommandLine,
    calibrationCommandLine,
    configCommandLine,
    completionCommandLine,
  ])
    add(program, io, finish);
  for (const command of [program, ...program.commands])
    command
      .helpOption('-h, --help', 'print this help')
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        // Errors are reported once, as one sentence.
        writeErr: () => {},
        getOutHelpWidth: () => io.stdout.columns ?? 100,
      })
      .exitOverride((error) => {
        throw error.exitCode === 0 ? error : usageSentence(error, command);
      });
  return program;
}

const EXAMPLES = `
Examples:
  svcctl scenarios/valve-smoke.oql                      try it without hardware (dry-run)
  svcctl scenarios/valve-smoke.oql --mode execute       run it on the rig
  svcctl cmd 'GET AI01'                                 one line on the rig
  svcctl validate scenarios/valve-smoke.oql             what is wrong with it
  svcctl stop                                           make the rig safe now

Exit codes: 0 passed or valid, 1 failed or not valid, 2 wrong usage or a scenario with errors,
3 no verdict possible, 75 held by another program, 130 aborted.`;
