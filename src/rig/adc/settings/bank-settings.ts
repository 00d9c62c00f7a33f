import type { BankChannel } from '../../../devices/bank/driver.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { type Environment, refused, variable } from './environment.ts';

export const LOGICAL_NAMES = ['ai01', 'ai02', 'ai03'] as const;
export type LogicalName = (typeof LOGICAL_NAMES)[number];

export interface BankSettings {
  /** Base address, without the path. */
  url: string;
  /** `BANK_ADC_ID`; undefined takes any bank at the address. */
  bankId: string | undefined;
  /** Channels that the bank serves; those that are missing stay on board. At least one. */
  channels: ReadonlyMap<LogicalName, BankChannel>;
}

const URL_NAME = 'BANK_ADC_URL';
const MAP = 'BANK_ADC_CHANNEL_MAP';
const LEGACY_URL = 'BANK_ADC_LEGACY_URL';
const LEGACY_CHANNEL = 'BANK_ADC_LEGACY_CHANNEL';
const MAP_FORM = 'write an object of ai01..ai03 and bank channels 0..2, for example {"ai02":0}';

/**
 * The remote bank of the stack (services.md section 5); undefined when every channel is on board.
 *
 * @throws StartRefusedError naming the variable, its value and what to write
 */
export function bankSettings(env: Environment): BankSettings | undefined {
  const bankId = variable(env, 'BANK_ADC_ID');
  const url = variable(env, URL_NAME);
  if (url !== undefined) checkUrl(URL_NAME, url);
  const channels = channelMap(env);
  const legacyChannel = legacyChannelOf(env);
  if (channels.size > 0) {
    if (url !== undefined) return { url, bankId, channels };
    const value = variable(env, MAP) ?? '';
    throw refused(MAP, value, `${URL_NAME} is not set; set it to the bank's address, or write {} here`);
  }
  const legacyUrl = variable(env, LEGACY_URL);
  if (legacyUrl === undefined) return undefined;
  checkUrl(LEGACY_URL, legacyUrl);
  return { url: legacyUrl, bankId, channels: new Map([[legacyChannel, 0]]) };
}

function legacyChannelOf(env: Environment): LogicalName {
  const name = variable(env, LEGACY_CHANNEL) ?? 'ai02';
  if (name === 'ai02' || name === 'ai03') return name;
  throw refused(LEGACY_CHANNEL, name, 'must be ai02 or ai03');
}

function channelMap(env: Environment): Map<LogicalName, BankChannel> {
  const text = variable(env, MAP) ?? '{}';
  const fault = (why: string) => refused(MAP, text, `${why}; ${MAP_FORM}`);
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (cause) {
    throw fault(`is not JSON (${messageOf(cause)})`);
  }
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
    throw fault('is not an object');
  const channels = new Map<LogicalName, BankChannel>();
  for (const [name, value] of Object.entries(entries)) {
    const known = LOGICAL_NAMES.find((one) => one === name);
    if (known === undefined) throw fault(`${JSON.stringify(name)} is not ai01, ai02 or ai03`);
    if (value !== 0 && value !== 1 && value !== 2)
      throw fault(`${name} is ${JSON.stringify(value)}, not 0, 1 or 2`);
    const other = [...channels].find(([, taken]) => taken === value);
    if (other) throw fault(`${other[0]} and ${name} are both bank channel ${value}`);
    channels.set(known, value);
  }
  // JSON.parse keeps the last of two equal keys without a word.
  const repeated = LOGICAL_NAMES.find((name) => text.split(`"${name}"`).length > 2);
  if (repeated !== undefined) throw fault(`${repeated} is there twice`);
  return channels;
}

function checkUrl(name: string, url: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw refused(name, url, 'must be http://<host>[:<port>] or https://<host>[:<port>]');
}
