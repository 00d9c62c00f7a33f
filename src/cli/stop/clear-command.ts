import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { BridgeCalls } from '../lease/bridge-calls.ts';
import { whoAsks } from './who-asks.ts';

/**
 * `svcctl stop --clear [id]`: a person has checked the rig, actuators may be switched on again (services specification,
 * SVC-049). With an id, a stop that came after the one that this person has seen stays.
 * @throws CliError exit code 3 when the bridge refuses or does not answer
 */
export async function clearCommand(
  { firmwareUrl, clear, json }: { firmwareUrl?: string; clear: string | true; json?: true },
  io: Io,
): Promise<number> {
  const asked = new URLSearchParams({ by: whoAsks(), ...(clear === true ? {} : { id: clear }) });
  const answer = await new BridgeCalls(firmwareUrl, io).call('POST', `hardware/operator-stop/clear?${asked}`);
  const { cleared } = answer as { cleared: { by: string; at: string } | null };
  const line = cleared ? `the stop by ${cleared.by} at ${cleared.at} is cleared` : 'no stop was in force';
  io.stdout.write(`${json ? JSON.stringify(answer) : line}\n`);
  return EXIT.ok;
}
