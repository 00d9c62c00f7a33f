import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { boardOf } from '../board.ts';
import type { Places } from '../places.ts';
import { textOf, writeWhole } from '../write-whole.ts';
import { applySettings } from './apply-settings.ts';
import { growData } from './grow-data.ts';
import { makeHostKey, makeHostName, makeMachineId } from './identity.ts';
import { movedCard } from './moved-card.ts';
import { overwrite } from './pulse-gpio.ts';
import { type RigReport, readReport, writeReport } from './rig-report.ts';
import { MASK, MASKING, parseRigText } from './rig-text.ts';

/** What this card was made for; written last. */
interface Stamp {
  /** Of the machine that it is used in. */
  serial: string | null;
  /** SHA-256 of `rig.txt` as it was last applied. */
  rigText: string | null;
  /** Every step of the first start is done. */
  isComplete: boolean;
}

export interface FirstBootOptions {
  places: Places;
  clock: Clock;
  log: (line: string) => void;
}

/**
 * The first start of a card and, at each later one, what is new in `rig.txt`. Each step looks whether it is done; the stamp is written
 * last, so that a start that was cut off does the rest. One step that fails does not keep the others.
 * @returns the report
 */
export async function firstBoot({ places, clock, log }: FirstBootOptions): Promise<RigReport> {
  const board = boardOf(places);
  const stampPath = join(places.data, 'svc-rig/first-boot-stamp.json');
  const { stamp, isUnknown } = readStamp(stampPath);
  const moved = await movedCard(places, board, { serial: stamp?.serial, isUnknown }, clock);
  const report: RigReport = {
    at: new Date(clock.now()).toISOString(),
    hostName: 'rig',
    model: board.model,
    serial: board.serial ?? null,
    applied: [],
    faults: [],
    problems: [board.whyWrong, moved?.problem].filter((one) => one !== undefined),
    done: [],
    needsRestart: false,
  };
  let failures = 0;
  const step = (name: string, work: () => string | undefined) => {
    try {
      const done = work();
      if (done !== undefined) report.done.push(done);
    } catch (fault) {
      failures += 1;
      report.problems.push(`${name}: ${messageOf(fault)}; it is tried again at the next start`);
    }
  };
  step('host name', () => {
    report.hostName = textOf(places.data, 'etc/hostname') ?? report.hostName;
    const before = report.hostName;
    report.hostName = makeHostName(places, board, makeMachineId(places));
    return before === report.hostName ? undefined : `host name ${report.hostName}`;
  });
  step('SSH host key', () => void makeHostKey(places, report.hostName));
  const hasData = !existsSync(places.at('/run/svc-rig-no-data'));
  if (hasData) step('data partition', () => growData(places));
  else report.problems.push(NO_DATA);
  const rigText = applyRigText({ places, stamp, report, step, hasData });
  const hadProblems = (readReport(places)?.problems.length ?? 0) > 0;
  const isNew =
    rigText !== stamp?.rigText ||
    !stamp.isComplete ||
    failures > 0 ||
    report.problems.length > 0 ||
    hadProblems;
  step('host name', () => {
    report.hostName = textOf(places.data, 'etc/hostname') ?? report.hostName;
    return undefined;
  });
  if (isNew) {
    step('report', () => void writeReport(places, report));
    for (const line of [
      ...report.problems,
      ...report.faults.map(({ line, message }) => `rig.txt line ${line}: ${message}`),
    ])
      log(line);
  }
  const serial = moved?.isWithdrawn === false ? stamp?.serial : (board.serial ?? stamp?.serial);
  const next: Stamp = { serial: serial ?? null, rigText, isComplete: failures === 0 };
  // While calibrations still count that should not, a stamp that cannot be read stays, so that the next start tries again.
  if (!isUnknown || moved?.isWithdrawn !== false)
    step('stamp', () => void writeWhole(stampPath, `${JSON.stringify(next)}\n`, 0o644));
  return report;
}

const NO_DATA =
  'the data partition cannot be mounted: this start keeps nothing and runs no service of the rig; log in by SSH, see /run/svc-rig-data-check, then e2fsck';

interface RigTextWork {
  places: Places;
  stamp: Stamp | undefined;
  report: RigReport;
  step: (name: string, work: () => string | undefined) => void;
  /** What is applied lasts: its secrets may be removed. */
  hasData: boolean;
}

/** @returns the hash of the file after its secrets were removed; null where there is none */
function applyRigText({ places, stamp, report, step, hasData }: RigTextWork): string | null {
  const path = join(places.firmware, 'rig.txt');
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code !== 'ENOENT') report.problems.push(`rig.txt cannot be read: ${messageOf(fault)}`);
    return stamp?.rigText ?? null;
  }
  const hash = sha256(content);
  if (hash === stamp?.rigText) {
    const { applied = [], faults = [] } = readReport(places) ?? {};
    Object.assign(report, { applied, faults });
    return hash;
  }
  const { secrets, mayPass, ...settings } = applySettings(places, parseRigText(content));
  Object.assign(report, settings);
  let isClean = true;
  for (const { key, from, bytes } of hasData ? secrets : [])
    step(`removal of ${key} from rig.txt`, () => {
      isClean = false;
      overwrite(path, MASKING, from);
      overwrite(path, MASK.repeat(bytes - 1), from + 1);
      overwrite(path, MASK, from);
      isClean = true;
      return `${key} was removed from rig.txt`;
    });
  return isClean && !mayPass ? sha256(readFileSync(path)) : null;
}

/** Without one, everything is looked at again. A damaged one says nothing of the machine that the card was used in. */
function readStamp(path: string): { stamp?: Stamp; isUnknown: boolean } {
  try {
    const text = textOf(path);
    if (text === undefined) return { isUnknown: false };
    const { serial, rigText, isComplete } = JSON.parse(text) as Partial<Stamp>;
    const stamp = { serial: serial ?? null, rigText: rigText ?? null, isComplete: isComplete === true };
    return { stamp, isUnknown: false };
  } catch {
    return { isUnknown: true };
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
