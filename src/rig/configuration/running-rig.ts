import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeDurably } from '../../lib/files/durable-file.ts';
import type { HardwareMode } from './types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a running rig was started with: a stop from another folder acts on the devices of this rig and of no other. */
export interface RunningRig {
  /** Its variables, with absolute paths and the hardware mode; no secrets. */
  env: Readonly<Record<string, string>>;
  /** Of its bridge, where that has said so. */
  url: string | undefined;
}

/** The programs that write down what they were started with; what the later one says counts. */
const WRITERS = ['svc-bridge', 'svc-guard'] as const;
export type Writer = (typeof WRITERS)[number];

const OF_THE_RIG = /^(SVC_|USBADC_|UARTADC_|BANK_ADC_|FIRMWARE_URL$)/;
const SECRET = /TOKEN|SECRET|PASSWORD|CREDENTIAL|API_KEY/;
/** A URL with a name or a password in it. */
const SECRET_VALUE = /:\/\/[^/]*@/;

export interface Started {
  writer: Writer;
  stateDir: string;
  env: Environment;
  /** Absolute; undefined where there is no file and the defaults hold. */
  config: string | undefined;
  mode: HardwareMode;
  /** Of the bridge. */
  url?: string;
}

const pathOf = (stateDir: string, writer: Writer): string => join(stateDir, `started-${writer}.json`);

/** Writes `SVC_STATE_DIR/started-<program>.json`, readable by all users. @throws Error when the folder is not writable */
export function recordRunningRig({ writer, stateDir, env, config, mode, url }: Started): Promise<void> {
  const own = Object.entries(env).filter(
    ([name, value]) => value && OF_THE_RIG.test(name) && !SECRET.test(name) && !SECRET_VALUE.test(value),
  );
  const places = {
    // Without a file the defaults hold, wherever the stop is asked for.
    SVC_CONFIG_PATH: config ?? '/dev/null',
    SVC_STATE_DIR: resolve(stateDir),
    SVC_HARDWARE_MODE: mode,
  };
  const content = { env: { ...Object.fromEntries(own), ...places }, ...(url === undefined ? {} : { url }) };
  return writeDurably(pathOf(stateDir, writer), `${JSON.stringify(content)}\n`);
}

/** What the programs of this state folder wrote down; undefined where none did. Never throws. */
export function readRunningRig(stateDir: string): RunningRig | undefined {
  const found = WRITERS.flatMap((writer) => read(pathOf(stateDir, writer)) ?? []);
  if (found.length === 0) return undefined;
  return {
    env: Object.assign({}, ...found.map(({ env }) => env)),
    url: found.find(({ url }) => url !== undefined)?.url,
  };
}

function read(path: string): RunningRig | undefined {
  try {
    const { env, url } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    if (typeof env !== 'object' || env === null) return undefined;
    const variables = Object.entries(env).filter(
      (one): one is [string, string] => typeof one[1] === 'string',
    );
    return { env: Object.fromEntries(variables), url: typeof url === 'string' ? url : undefined };
  } catch {
    return undefined;
  }
}
