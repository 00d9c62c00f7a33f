import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { rigKey, stateDirOf } from '../../lib/liveness/live-address.ts';
import { askHolder } from '../../lib/lock/ask-holder.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { acceptedKeys } from '../../scenario/records/accepted-keys.ts';
import { ENDING_REMOVED } from '../../scenario/records/recover-run.ts';
import { type RigPublicKey, readRigKey, rigIdOf } from '../../scenario/records/rig-key.ts';
import { FILES } from '../../scenario/records/run-file.ts';
import { faultText, type Verification, verifyRecord } from '../../scenario/records/verify-record.ts';
import { endedBeforeIn } from '../../services/server/run-index/queries/ended-before.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { type FoundRecord, findRecord } from '../records/find-record.ts';

export interface VerifyCommandOptions {
  readonly all?: boolean;
  /** Fingerprints that are accepted beside the key of this rig. */
  readonly key?: readonly string[];
  readonly json?: boolean;
}

/** For a program that is busy, ms. */
const HOLDER_LIMIT_MS = 5000;
const RECORD = /^r-\d{8}-\d{4,}$/;

/** `svcctl verify`. @returns 0 all sealed, 1 one is not what was sealed, 2 one cannot be judged; @throws CliError */
export async function verifyCommand(
  names: readonly string[],
  options: VerifyCommandOptions,
  io: Io,
): Promise<number> {
  if (names.length > 0 === (options.all === true))
    throw usageError('name a run or a folder, or write --all for the records of SVC_STATE_DIR');
  const stateDir = stateDirOf(io.env);
  const own = readRigKey(stateDir)?.public;
  const found = options.all ? ownRecords(stateDir) : names.map((name) => findRecord(name, io));
  const counts = { sealed: 0, tampered: 0, unsealed: 0, open: 0 };
  const interrupted: string[] = [];
  for (const record of found) {
    const verification = await verified(record, options, stateDir, io);
    const { status, run_id } = verification;
    counts[status]++;
    const isLive = status === 'open' && (await runsThatGoOn(stateDir, io)).includes(run_id);
    if (status === 'open' && !isLive) interrupted.push(run_id);
    print(verification, { own, json: options.json === true, isLive }, io);
  }
  const { sealed, tampered, unsealed, open } = counts;
  if (options.all && !options.json)
    io.stdout.write(
      `${sealed} of ${found.length} records are as they were sealed; ${tampered} changed, ${unsealed} without seal, ${open} not ended\n`,
    );
  if (tampered + unsealed > 0) return EXIT.failed;
  return open === 0 || (options.all === true && interrupted.length === 0) ? EXIT.ok : EXIT.usage;
}

/** @throws CliError exit code 2 */
function ownRecords(stateDir: string): FoundRecord[] {
  const root = join(stateDir, 'runs');
  try {
    const names = readdirSync(root).filter((name) => RECORD.test(name));
    const keys = acceptedKeys(stateDir);
    return names.sort().map((name) => ({ directory: join(root, name), isOwn: true, keys }));
  } catch (cause) {
    throw usageError(`the records in ${root} cannot be read: ${reasonOf(cause)}; set SVC_STATE_DIR`);
  }
}

/** Runs that the program which keeps these records carries on. One that does not answer shows none. */
async function runsThatGoOn(stateDir: string, { clock }: Io): Promise<readonly string[]> {
  const holder = await askHolder(lockAddress(`svc-server-${rigKey(stateDir)}`), clock, HOLDER_LIMIT_MS);
  return typeof holder === 'string' ? [] : (holder.runs ?? []);
}

/** Records of this rig have to be sealed by a key of it. @throws CliError exit code 2 */
async function verified(
  { directory, isOwn, keys: accepted }: FoundRecord,
  { key }: VerifyCommandOptions,
  stateDir: string,
  io: Io,
): Promise<Verification> {
  const keys = accepted ? [...accepted, ...(key ?? [])] : key;
  if (isOwn && !keys)
    throw usageError(
      `${directory}: the key of this rig cannot be read, and a seal by any other key shows nothing: run svcctl as the account of the services, or name the fingerprint with --key (GET /health shows it)`,
    );
  try {
    const found = await verifyRecord(directory, { keys, named: isOwn });
    return isOwn && found.status === 'open' ? await endedOrOpen(found, stateDir, io) : found;
  } catch (cause) {
    const message = `${directory} cannot be read: ${reasonOf(cause)}`;
    throw new CliError('record_unreadable', message, EXIT.usage, { cause });
  }
}

/** An ending that was removed can be known to the index only. @throws IndexError */
async function endedOrOpen(found: Verification, stateDir: string, io: Io): Promise<Verification> {
  const { run_id: id } = found;
  if (!endedBeforeIn(stateDir, [id]).includes(id) || (await runsThatGoOn(stateDir, io)).includes(id))
    return found;
  return { ...found, status: 'unsealed', faults: [{ file: FILES.seal, line: null, reason: ENDING_REMOVED }] };
}

interface Shown {
  /** The key of this rig. */
  readonly own: RigPublicKey | undefined;
  readonly json: boolean;
  /** A program carries the run on. */
  readonly isLive: boolean;
}

function print(verification: Verification, { own, json, isLive }: Shown, io: Io): void {
  const { run_id, status, faults, key, sealed_at } = verification;
  if (json) {
    const sealed = key && { ...key, rig_id: rigIdOf(key), own: key.fingerprint === own?.fingerprint };
    io.stdout.write(`${JSON.stringify({ run_id, status, faults, key: sealed, sealed_at })}\n`);
    return;
  }
  const text = status === 'open' && !isLive ? INTERRUPTED : TEXTS[status];
  const lines = [`${run_id}  ${text}${key ? sealText(key, sealed_at, own) : ''}`];
  for (const fault of faults) lines.push(`  ${faultText(fault)}`);
  io.stdout.write(`${lines.join('\n')}\n`);
}

const TEXTS = {
  sealed: 'sealed',
  tampered: 'CHANGED',
  unsealed: 'NOT SEALED',
  open: 'not ended: the run goes on, and there is nothing to compare with yet',
} as const;
const INTERRUPTED =
  'not ended, and no program carries the run on: start svc-server, which ends runs that were interrupted';

function sealText(key: RigPublicKey, at: string | null, own: RigPublicKey | undefined): string {
  const whose =
    own === undefined ? '' : key.fingerprint === own.fingerprint ? ' (this rig)' : ' (another rig)';
  return ` by ${rigIdOf(key)}${whose} at ${at}, key ${key.fingerprint}`;
}
