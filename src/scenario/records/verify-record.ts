import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { findBadLine } from './bad-line.ts';
import { anchorOf } from './event-chain.ts';
import { RecordError } from './record-error.ts';
import { type RigPublicKey, rigIdOf } from './rig-key.ts';
import { FILES, type RunFile, readRunFile } from './run-file.ts';
import { readSeal, type Seal, type SealedFile, sealedFileAt, sealedNames, TEMPORARY } from './seal.ts';

/** Something in a record that is not what was sealed. */
export interface RecordFault {
  readonly file: string;
  /** From 1; null: the file as a whole. */
  readonly line: number | null;
  readonly reason: string;
}

/**
 * What a record is worth. `sealed`: it is what the rig with this key sealed. `unsealed`: its run has ended and it has no
 * seal, so that nothing shows that a rig wrote it; that is a fault. `open`: its run has not ended. `tampered`: it differs
 * from its seal.
 */
export type SealState = 'sealed' | 'unsealed' | 'open' | 'tampered';

export interface Verification {
  readonly run_id: string;
  readonly status: SealState;
  readonly faults: readonly RecordFault[];
  /** Null where no valid seal is. */
  readonly key: RigPublicKey | null;
  readonly sealed_at: string | null;
}

export interface VerifyOptions {
  /** Fingerprints of the keys that count; default any. */
  readonly keys?: readonly string[] | undefined;
  /** The folder has the name of its run; default true. */
  readonly named?: boolean;
  /** Its ending is about to be written: `run.json` has none yet; default false. Needs `keys`. */
  readonly isEnding?: boolean;
}

/**
 * Checks chain, files and seal of a record. @throws the system's error when the directory cannot be read
 */
export async function verifyRecord(directory: string, options: VerifyOptions = {}): Promise<Verification> {
  const names = sealedNames(directory).filter((name) => !options.isEnding || !TEMPORARY.test(name));
  const faults: RecordFault[] = [];
  const report = (file: string, reason: string, line: number | null = null) =>
    faults.push({ file, line, reason });
  const file = runFileOf(directory, report);
  const seal = sealOf(directory, file, report);
  if (file && seal) compareHeads(directory, file, seal, options, report);
  if (seal) await compareFiles(directory, names, seal, options, report);
  else if (file?.events) await checkChain(directory, anchorOf(file.identity), file.events, report);
  return {
    run_id: file?.identity.run_id ?? seal?.run_id ?? basename(directory),
    status: stateOf(directory, file, faults),
    faults,
    key: seal?.key ?? null,
    sealed_at: seal?.sealed_at ?? null,
  };
}

function stateOf(
  directory: string,
  file: RunFile | undefined,
  { length }: readonly RecordFault[],
): SealState {
  const hasSeal = existsSync(join(directory, FILES.seal));
  if (file?.ending && !hasSeal) return 'unsealed';
  if (length > 0) return 'tampered';
  return hasSeal ? 'sealed' : 'open';
}

type Report = (file: string, reason: string, line?: number | null) => void;

function runFileOf(directory: string, report: Report): RunFile | undefined {
  try {
    return readRunFile(directory);
  } catch (thrown) {
    if (!(thrown instanceof RecordError)) throw thrown;
    report(FILES.run, `it is not a record of a run: ${reasonOf(thrown.cause)}`);
    return undefined;
  }
}

/** Bytes of a file that are hashed without a turn for others. */
const MOST_AT_ONCE = 1024 * 1024;

/** Of the record of a run that has ended. */
const NOT_SEALED = 'it is missing: the record is NOT SEALED, and nothing shows that it is what a rig wrote';

/** The seal, where it is one. A run that goes on has none. */
function sealOf(directory: string, file: RunFile | undefined, report: Report): Seal | undefined {
  const path = join(directory, FILES.seal);
  if (!existsSync(path)) {
    if (file?.ending !== null) report(FILES.seal, NOT_SEALED);
    return undefined;
  }
  const seal = readSeal(readFileSync(path, 'utf8'));
  if (!('fault' in seal)) return seal;
  report(FILES.seal, seal.fault);
  return undefined;
}

function compareHeads(
  directory: string,
  { identity, ending, events }: RunFile,
  seal: Seal,
  { keys, named = true, isEnding = false }: VerifyOptions,
  report: Report,
): void {
  const { run_id: id, station } = identity;
  if (named && basename(directory) !== id) report(FILES.run, `it is of ${id}`);
  if (seal.run_id !== id) report(FILES.seal, `it is of ${seal.run_id}`);
  if (anchorOf(identity) !== seal.identity_sha256) report(FILES.run, 'its identity was changed');
  if (!isEnding && (!ending || !events)) report(FILES.run, 'it has no ending although the record is sealed');
  const { fingerprint } = seal.key;
  // A start that ended an interrupted run may have had another key than the run, or the run none.
  const recovery = events?.recovered?.key;
  const isNamed =
    recovery === undefined
      ? identity.key?.fingerprint === fingerprint && station?.rig_id === rigIdOf(seal.key)
      : recovery === fingerprint;
  if (!isNamed && !isEnding)
    report(FILES.seal, `it was made with the key ${fingerprint}, and the run names another one`);
  if (keys && !keys.includes(fingerprint))
    report(
      FILES.seal,
      `it was made with the key ${fingerprint} of ${rigIdOf(seal.key)}, which is not accepted`,
    );
}

async function compareFiles(
  directory: string,
  names: readonly string[],
  seal: Seal,
  { isEnding = false }: VerifyOptions,
  report: Report,
): Promise<void> {
  for (const name of Object.keys(seal.files)) if (!names.includes(name)) report(name, 'it is missing');
  for (const name of names) {
    if (isEnding && name === FILES.run) continue;
    const sealed = seal.files[name];
    if (!sealed) {
      report(name, 'it is not among the sealed files');
      continue;
    }
    const found = await hashedFile(join(directory, name));
    if (typeof found === 'string') report(name, `it cannot be read: ${found}`);
    else if (found.sha256 === sealed.sha256) continue;
    else if (
      name === FILES.events &&
      (await checkChain(directory, seal.identity_sha256, seal.events, report))
    )
      continue;
    else {
      const bytes = found.bytes === sealed.bytes ? '' : ` and has ${found.bytes} bytes, not ${sealed.bytes}`;
      report(name, `it was changed${bytes}`);
    }
  }
}

async function hashedFile(path: string): Promise<SealedFile | string> {
  try {
    return statSync(path).size > MOST_AT_ONCE ? await hashedInParts(path) : sealedFileAt(path);
  } catch (thrown) {
    return reasonOf(thrown);
  }
}

/** Others have a turn between two parts. */
async function hashedInParts(path: string): Promise<SealedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of createReadStream(path, { highWaterMark: MOST_AT_ONCE })) {
    hash.update(part as Buffer);
    bytes += (part as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** @returns whether a bad line was found and reported */
async function checkChain(
  directory: string,
  anchor: string,
  end: { readonly count: number; readonly last_sha256: string },
  report: Report,
): Promise<boolean> {
  try {
    const bad = await findBadLine(join(directory, FILES.events), anchor, end);
    if (!bad) return false;
    report(FILES.events, bad.reason, bad.line);
  } catch (thrown) {
    report(FILES.events, `it cannot be read: ${reasonOf(thrown)}`);
  }
  return true;
}

/** `events.ndjson line 7: it was changed` */
export const faultText = ({ file, line, reason }: RecordFault): string =>
  `${file}${line === null ? '' : ` line ${line}`}: ${reason}`;
