import { dirname, join, resolve } from 'node:path';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { type RunningRig, readRunningRig } from '../../rig/configuration/running-rig.ts';
import type { Io } from '../io/io.ts';
import { firmwareUrl } from '../options/url.ts';
import { readSettings } from '../profile/rig-files.ts';
import { projectRoot } from '../start/project-root.ts';
import { runtimeFolder } from '../start/runtime-folder.ts';

export type RigEnvironment = Readonly<Record<string, string | undefined>>;
type Place = Pick<Io, 'env' | 'cwd'>;
type Variables = Readonly<Record<string, string>>;

/** The rig that variables, `rig.env` and the records of a running rig lead to. */
interface MeantRig {
  env: RigEnvironment;
  /** SVC_FIRMWARE_URL names the bridge of another rig than SVC_STATE_DIR: both are meant. */
  isSeveral: boolean;
  /** What leads to different rigs, one sentence each. */
  notes: string[];
}

/**
 * The variables of the services of this rig: what its running programs wrote down, else those of `rig.env`, which PM2 gives
 * them, under those of the caller. Never throws: a stop must work where nothing is installed as it should be.
 */
export function rigEnvironment(place: Place): RigEnvironment {
  return meantRig(place).env;
}

export function meantRig({ env, cwd }: Place): MeantRig {
  const filled = Object.entries(env).filter((one): one is [string, string] => !!one[1]);
  const given: Variables = Object.fromEntries(filled);
  const settings = settingsOf({ env, cwd });
  const stateDir = stateDirMeant(given, settings, cwd);
  const running = readRunningRig(stateDir);
  if (!running) return { env: { ...settings, ...given }, isSeveral: false, notes: [] };
  // The settings of another rig lead to another rig's devices.
  const own = stateDirOf(settings) === stateDir ? settings : {};
  const bridge = given.SVC_FIRMWARE_URL ?? given.FIRMWARE_URL ?? own.SVC_FIRMWARE_URL ?? running.url;
  const isSeveral = isOther(bridge, [own.SVC_FIRMWARE_URL, running.url]);
  const notes = isSeveral
    ? [
        `two rigs are meant: SVC_FIRMWARE_URL is ${bridge}, the bridge of the rig in ${stateDir} is at ${running.url}; both are stopped`,
      ]
    : [];
  const path = given.SVC_CONFIG_PATH && resolve(cwd, given.SVC_CONFIG_PATH);
  const { SVC_CONFIG_PATH: config } = running.env;
  if (path && path !== config)
    notes.push(
      `two rigs are meant: SVC_CONFIG_PATH is ${path}, the rig in ${stateDir} runs with ${config}; the rig in ${stateDir} is stopped`,
    );
  return {
    env: { ...own, ...given, ...running.env, ...(bridge === undefined ? {} : { SVC_FIRMWARE_URL: bridge }) },
    isSeveral,
    notes,
  };
}

/** As the caller names it, else beside the configuration that the caller names, else as `rig.env` has it. */
function stateDirMeant(given: Variables, settings: Variables, cwd: string): string {
  if (!given.SVC_STATE_DIR && given.SVC_CONFIG_PATH) {
    const path = resolve(cwd, given.SVC_CONFIG_PATH);
    const beside = join(dirname(path), 'state');
    if (configOf(readRunningRig(beside)) === path) return beside;
  }
  return given.SVC_STATE_DIR ? resolve(cwd, given.SVC_STATE_DIR) : stateDirOf(settings);
}

const configOf = (running: RunningRig | undefined): string | undefined => running?.env.SVC_CONFIG_PATH;

/** Whether a bridge is none of those that are known; nothing is known where none says its address. */
function isOther(bridge: string | undefined, known: readonly (string | undefined)[]): boolean {
  const ports = known.flatMap((url) => portOf(url) ?? []);
  const port = portOf(bridge);
  return port !== undefined && ports.length > 0 && !ports.includes(port);
}

function portOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).port : undefined;
}

/** What this rig itself is, without the caller's variables; empty where it has no `rig.env`. Never throws. */
export function settingsOf({ env, cwd }: Place): Variables {
  try {
    const root = projectRoot();
    return root === undefined ? {} : readSettings(runtimeFolder(root, env.RIG_RUNTIME_DIR, cwd));
  } catch {
    return {};
  }
}

/**
 * The bridge: as named, else as SVC_FIRMWARE_URL or FIRMWARE_URL say, else where this rig's own bridge listens.
 * @throws CliError exit code 2 for what is no address
 */
export function bridgeUrl(option: string | undefined, env: RigEnvironment): string {
  const port = Number(env.SVC_BRIDGE_PORT);
  const isNamed = option !== undefined || env.SVC_FIRMWARE_URL || env.FIRMWARE_URL;
  // With port 0 it took any: only the guard knows which.
  if (isNamed || !Number.isInteger(port) || port <= 0) return firmwareUrl(option, env);
  return `http://127.0.0.1:${port}`;
}
