import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Document, isAlias, isNode, parseDocument, visit } from 'yaml';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { replaceFile, syncDirectory } from '../../lib/files/replace-file.ts';
import { type ConfigWriter, withConfigLock } from '../../rig/configuration/config-lock.ts';
import { type ConfigEdit, editConfig } from '../../rig/configuration/edit-config.ts';
import { type ConfigSources, mergeConfig } from '../../rig/configuration/load-config.ts';
import { checkedRig } from '../../rig/configuration/load-rig-config.ts';
import { parseConfig, readConfigText } from '../../rig/configuration/read-file.ts';
import type { AppliedRepair } from './doctor.ts';
import type { ModbusFix } from './finding.ts';

/** A repair that was not made. `svc.yaml` is as it was. Exit code 3. */
export class FixError extends CodedError {}

const KEYS = ['serial_port', 'baudrate', 'parity'] as const;
const PLACE = ['plugins', 'modbus-io', 'connection_params'] as const;

/** What `--fix` would write, for people: one line for each value. */
export const planLines = (path: string, { mismatches }: ModbusFix): string[] => [
  `${path}: plugins.modbus-io.connection_params`,
  ...Object.entries(mismatches).map(([key, { current, detected }]) => `  ${key}: ${current} -> ${detected}`),
];

/**
 * Writes the detected port, rate and parity of the valve board into `svc.yaml`: backup first, everything else byte for byte as it was,
 * as a whole or not at all. @throws FixError, ConfigError
 */
export async function applyModbusFix(
  file: string,
  fix: ModbusFix,
  { env, clock = systemClock }: { env: ConfigSources['env']; clock?: Clock },
): Promise<{ applied: AppliedRepair; undo: () => Promise<void> }> {
  const path = real(file);
  const writer = { service: 'svcctl doctor', clock };
  return withConfigLock(path, writer, () => {
    try {
      const text = read(path);
      refuseShared(path, parseDocument(text));
      const edits = KEYS.filter((key) => key in fix.mismatches).map(
        (key): ConfigEdit => ({ path: [...PLACE, key], value: fix.detected[key] }),
      );
      const edited = editConfig(text, edits, path);
      proveOnly(path, text, edited, edits);
      proveLoads(path, text, edited, env);
      const backup = backUp(path, text);
      if (hashOf(read(path)) !== hashOf(text))
        throw refusal(path, 'another program changed it meanwhile; run doctor --fix again');
      replaceFile(path, edited);
      if (read(path) !== edited)
        throw refusal(path, `what was written is not what is there; restore ${backup}`);
      const changes = Object.entries(fix.mismatches).map(([key, { current, detected }]) => [
        key,
        { from: current, to: detected },
      ]);
      const applied: AppliedRepair = {
        id: 'update_modbus_config',
        path,
        backup,
        changes: Object.fromEntries(changes),
        hint: 'restart the bridge: svcctl config apply',
      };
      return { applied, undo: () => undo(path, { before: text, written: edited, backup, writer }) };
    } catch (fault) {
      if (fault instanceof CodedError) throw fault;
      throw refusal(path, reasonOf(fault), fault);
    }
  });
}

interface Written {
  before: string;
  written: string;
  backup: string;
  writer: ConfigWriter;
}

/** Puts back what was there before a repair that did not help. @throws FixError, ConfigError: the repair is still there */
async function undo(path: string, { before, written, backup, writer }: Written): Promise<void> {
  await withConfigLock(path, writer, () => {
    try {
      if (read(path) !== written) throw kept(path, backup, 'another program changed the file meanwhile');
      replaceFile(path, before);
    } catch (fault) {
      throw fault instanceof FixError ? fault : kept(path, backup, reasonOf(fault), fault);
    }
  });
}

const kept = (path: string, backup: string, why: string, cause?: unknown): FixError =>
  new FixError('repair_failed', `${path} keeps the new values: ${why}; compare it with ${backup}`, { cause });

/** The whole rig loads with the new values, and no plugin has a fault that it did not have before. */
function proveLoads(path: string, text: string, edited: string, env: ConfigSources['env']): void {
  const faultsIn = (content: string) => {
    const { config } = checkedRig(mergeConfig(parseConfig(content, path), env, path), path);
    return config.plugins.flatMap(({ fault }) => fault ?? []);
  };
  const known = new Set(faultsIn(text));
  let added: string[];
  try {
    added = faultsIn(edited).filter((fault) => !known.has(fault));
  } catch (fault) {
    throw refusal(path, `the rig would not load with the new values: ${messageOf(fault)}`, fault);
  }
  if (added.length > 0) throw refusal(path, `the new values bring a fault: ${added.join('; ')}`);
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch (fault) {
    throw refusal(file, reasonOf(fault), fault);
  }
}

/** Exactly, or not at all: bytes that are no UTF-8 would be written back as others. @throws ConfigError */
const read = readConfigText;
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const refusal = (path: string, why: string, cause?: unknown): FixError =>
  new FixError('repair_failed', `${path} was not repaired: ${why}`, { cause });

/** An anchor at these keys, or an alias in their place, would change other keys too. */
function refuseShared(path: string, document: Document): void {
  const params = document.getIn(PLACE, true);
  const isShared = (node: unknown): boolean => {
    if (isAlias(node)) return true;
    let found = false;
    if (isNode(node))
      visit(node, {
        Node: (_, one) => {
          if (isAlias(one) || ('anchor' in one && one.anchor)) found = true;
        },
      });
    return found;
  };
  const above = PLACE.slice(0, -1).map((_, index) => document.getIn(PLACE.slice(0, index + 1), true));
  if (isShared(params) || above.some((node) => isAlias(node) || hasMergeOrAnchor(node)))
    throw refusal(
      path,
      'an anchor or alias (&, *) shares plugins.modbus-io with other keys; edit it by hand',
    );
}

function hasMergeOrAnchor(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'anchor' in node && Boolean(node.anchor);
}

/** Nothing but the edited values may differ. */
function proveOnly(path: string, text: string, edited: string, edits: readonly ConfigEdit[]): void {
  const before = parseDocument(text);
  for (const { path: place, value } of edits) before.setIn(place, value);
  const wanted: unknown = before.toJS();
  if (!isDeepStrictEqual(wanted, parseDocument(edited).toJS()))
    throw refusal(path, 'the edit would change other keys; edit it by hand');
}

/** `<file>.bak` with the bytes as they are; an older one with other bytes is kept as `.bak.<number>`. @returns its path */
function backUp(path: string, text: string): string {
  const backup = `${path}.bak`;
  const isBackup = () => readFileSync(backup).equals(Buffer.from(text));
  if (existsSync(backup)) {
    if (isBackup()) return backup;
    let number = 1;
    while (existsSync(`${backup}.${number}`)) number++;
    renameSync(backup, `${backup}.${number}`);
  }
  copyFileSync(path, backup, constants.COPYFILE_EXCL);
  const { mode, uid, gid } = statSync(path);
  chmodSync(backup, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(backup, uid, gid);
  syncDirectory(dirname(path));
  if (!isBackup()) throw refusal(basename(path), `the backup ${backup} is not complete`);
  return backup;
}
