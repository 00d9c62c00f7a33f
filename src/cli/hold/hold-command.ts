import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { JsonObject } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';
import { BridgeCalls } from '../lease/bridge-calls.ts';
import { keep } from '../lease/keep.ts';

export interface HoldOptions {
  renew?: true;
  keep?: true;
  firmwareUrl?: string;
  json?: true;
}

/** The hold is renewed this many times within its whole time, so that one lost call does no harm. */
const RENEWALS = 4;

/**
 * `svcctl hold`: how long what was switched on without a lease stays on, and more time for it. @throws CliError
 */
export async function holdCommand(options: HoldOptions, io: Io): Promise<number> {
  if (options.renew && options.keep) throw usageError('--renew and --keep: give one of them');
  const bridge = new BridgeCalls(options.firmwareUrl, io);
  const renew = options.renew || options.keep;
  const answer = await bridge.call(renew ? 'POST' : 'GET', 'hold');
  const lease = answer.active === true ? undefined : await bridge.call('GET', 'lease');
  tell(answer, lease, options, io);
  if (!renew) return EXIT.ok;
  if (answer.active !== true) return EXIT.failed;
  if (options.keep) await keepHold(bridge, Number(answer.hold_s) * 1000, io);
  return EXIT.ok;
}

async function keepHold(bridge: BridgeCalls, holdMs: number, io: Io): Promise<void> {
  io.stderr.write(`holding until Ctrl-C; then ${holdMs / 1000} s remain\n`);
  const work = async () => {
    const { active } = await bridge.call('POST', 'hold');
    if (active === true) return;
    const message = 'the manual hold has ended: the rig was made safe, or a lease was taken';
    throw new CliError('hold_ended', message, EXIT.error);
  };
  await keep(work, holdMs / RENEWALS, io);
}

function tell(hold: JsonObject, lease: JsonObject | undefined, { json }: HoldOptions, { stdout }: Io): void {
  if (json) {
    stdout.write(`${JSON.stringify(hold)}\n`);
    return;
  }
  const seconds = (Number(hold.remaining_ms) / 1000).toFixed(1);
  if (hold.active === true)
    stdout.write(`manual hold: the rig is made safe in ${seconds} s unless a command or a renewal comes\n`);
  else if (lease?.held === true)
    stdout.write(`no manual hold is active: the rig is leased to ${lease.owner}\n`);
  else stdout.write('no manual hold is active\n');
}
