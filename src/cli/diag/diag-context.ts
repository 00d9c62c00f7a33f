import { type FirmwareAddress, failed, hardwareHealth } from '../../diagnostics/firmware-report.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';

/** What a command of svc-diag is called with. */
export interface DiagContext {
  io: Io;
  firmwareUrl?: string;
  yes?: true;
  json: boolean;
  force?: true;
  /** Ends the command; what is on is made safe. */
  signal: AbortSignal;
  /** Asks a person; undefined where none can be asked. */
  ask?: (question: string) => Promise<string | undefined>;
}

/** What a command gives: one document, the same for people, and the exit code. */
export interface Outcome {
  document: object;
  lines: readonly string[];
  exitCode: number;
}

/** @throws CliError exit code 3 */
export async function reachableHealth(firmware: FirmwareAddress) {
  const health = await hardwareHealth(firmware);
  if (!failed(health)) return health;
  const message = `the bridge at ${firmware.url} does not answer: ${health.error}; svc-diag --doctor finds the cause`;
  throw new CliError('bridge_unreachable', message, EXIT.error);
}

/**
 * Nothing is switched without consent: `--yes`, or `yes` typed at a terminal.
 * @param plan what will be done, where, and how the rig is marked
 * @throws CliError `consent_missing`, exit code 4
 */
export async function requireConsent(
  plan: readonly string[],
  { io, yes, json, ask }: DiagContext,
): Promise<void> {
  io.stderr.write(`${plan.join('\n')}\n`);
  if (yes) return;
  if (json || !ask)
    throw new CliError(
      'consent_missing',
      'nothing was switched: there is no terminal to confirm it; give --yes',
      EXIT.refused,
    );
  const answer = await ask('Type yes to go on');
  if (answer?.trim().toLowerCase() !== 'yes')
    throw new CliError('consent_missing', 'nothing was switched: it was not confirmed by yes', EXIT.refused);
}
