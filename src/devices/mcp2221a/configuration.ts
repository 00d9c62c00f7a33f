import { AnswerFault } from './protocol/answer.ts';
import type { Request } from './protocol/request.ts';
import {
  type ConfigurationFaults,
  configurationFaults,
  decodeSetSram,
  decodeSram,
  getSram,
  type ReferenceSource,
  reloadReference,
  type Sram,
  setUpAdc,
} from './protocol/sram.ts';
import { decodeStatus, type Status, status } from './protocol/status.ts';

const VENDOR_ID = 0x04d8;
const PRODUCT_ID = 0x00dd;

/** One request and its own answer. */
export type Ask = (request: Request) => Promise<Uint8Array>;

/** Step 6: reads the settings back. */
export async function readBack(ask: Ask, source: ReferenceSource): Promise<ConfigurationFaults> {
  return configurationFaults(ownSram(await ask(getSram())), source);
}

/** The settings. @throws AnswerFault `wrong_device` when they are those of another chip */
function ownSram(report: Uint8Array): Sram {
  const sram = decodeSram(report);
  if (sram.vendorId === VENDOR_ID && sram.productId === PRODUCT_ID) return sram;
  const ids = [sram.vendorId, sram.productId].map((id) => id.toString(16).padStart(4, '0'));
  const message = `the chip identifies as ${ids.join(':')}, not an MCP2221A (04d8:00dd); check the address`;
  throw new AnswerFault('wrong_device', 'ids', message);
}

/** Steps 4 to 7 of the open sequence: GP0 stays as it is found. */
export async function configure(ask: Ask, source: ReferenceSource): Promise<ConfigurationFaults> {
  const found = ownSram(await ask(getSram()));
  decodeSetSram(await ask(setUpAdc(source, found.gpio[0])));
  if (source !== 'vdd') decodeSetSram(await ask(reloadReference(source)));
  const faults = await readBack(ask, source);
  // The first words behind a change may be of conversions before it.
  await ask(status());
  return faults;
}

/** Steps 3 to 7. @returns the status of step 3, for its revisions, and what the read-back shows */
export async function openSequence(
  ask: Ask,
  source: ReferenceSource,
): Promise<{ first: Status; faults: ConfigurationFaults }> {
  const first = decodeStatus(await ask(status()));
  return { first, faults: await configure(ask, source) };
}

/** Why no channel can be read; undefined when at least one can. */
export function totalFault({ reference, pins }: ConfigurationFaults): string | undefined {
  if (reference !== undefined) return reference;
  return pins.every((pin) => pin !== undefined) ? pins.join(', ') : undefined;
}

/** Everything that is not as set. */
export function faultSentences({ reference, pins }: ConfigurationFaults): string[] {
  return [reference, ...pins].filter((fault) => fault !== undefined);
}
