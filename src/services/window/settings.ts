import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import { StartRefusedError } from '../../lib/http/exposure.ts';
import { isLoopback } from '../../lib/http/loopback.ts';
import type { ModelSettings } from '../../window/llm/ask-model.ts';
import type { WindowSettings } from '../../window/operations/context.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The rig's state folder is there on the appliance; elsewhere thumbnails go with the other temporary files. */
const DEFAULT_STATE_DIR = '/var/lib/svc';
const MODEL_TIMEOUT_MS = 60_000;

/** @throws StartRefusedError */
export function windowSettings(env: Environment): WindowSettings {
  const roots = (env.SVC_WINDOW_ROOTS ?? '').split(/[:,\n]/).filter((root) => root.trim() !== '');
  for (const root of roots)
    if (!isAbsolute(root))
      throw new StartRefusedError(
        `SVC_WINDOW_ROOTS: ${JSON.stringify(root)} is not an absolute path of a folder`,
      );
  return {
    cwd: process.cwd(),
    home: env.HOME || homedir(),
    roots: roots.length > 0 ? roots : undefined,
    stateDir:
      env.SVC_STATE_DIR || (existsSync(DEFAULT_STATE_DIR) ? DEFAULT_STATE_DIR : join(tmpdir(), 'svc-window')),
    cataloguesDir: env.SVC_WINDOW_CATALOGUES || undefined,
  };
}

/** Whoever can call the service from outside must be told what it may read. @throws StartRefusedError */
export function refuseUnconfined(host: string, { roots }: WindowSettings): void {
  if (isLoopback(host) || roots) return;
  throw new StartRefusedError(
    `host ${host} is reachable from outside and SVC_WINDOW_ROOTS is not set; ` +
      'name the folders whose images and programs may be read and written, or bind 127.0.0.1',
  );
}

/** undefined: no language model is configured. @throws StartRefusedError */
export function modelSettings(env: Environment): ModelSettings | undefined {
  const { SVC_LLM_BASE_URL: baseUrl, SVC_LLM_MODEL: model, SVC_LLM_API_KEY: key } = env;
  if (!baseUrl && !model) return undefined;
  if (!baseUrl || !model) {
    const [there, missing] = baseUrl
      ? ['SVC_LLM_BASE_URL', 'SVC_LLM_MODEL']
      : ['SVC_LLM_MODEL', 'SVC_LLM_BASE_URL'];
    throw new StartRefusedError(`${there} is set and ${missing} is not; set both or none`);
  }
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new StartRefusedError(
      `SVC_LLM_BASE_URL ${JSON.stringify(baseUrl)} is not an http or https address`,
    );
  return { baseUrl, model, key: key || undefined, timeoutMs: MODEL_TIMEOUT_MS };
}
