import type { CheckTexts, Instruction } from '../../program/instruction.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Identity } from '../../rig/rig.ts';
import type { Command, Flow } from '../command.ts';
import { conclude } from './check.ts';

interface Found {
  readonly holds: boolean;
  readonly actual: string | null;
}

async function expectation(
  kind: string,
  wanted: string,
  path: string,
  look: (identity: Identity) => Found,
  texts: CheckTexts,
  command: Command,
): Promise<Flow> {
  const { run } = command;
  command.about(path);
  const common = { kind, sensor: null, op: '=', low: null, high: null, unit: null, names: [path] };
  const identity = await command.timed((signal) => run.rig.identify(signal));
  const { holds, actual } = look(identity);
  const text = holds ? `${wanted} is there` : `expected ${wanted}, found ${actual ?? 'nothing'}`;
  return conclude({ ...common, holds, actual, text }, texts, command);
}

const same = (a: string | null, b: string): boolean => a !== null && a.toLowerCase() === b.toLowerCase();

/** The bridge lists the path, by its node or a link to it, with that chip and kind. */
export function expectDevice(
  instruction: Extract<Instruction, { op: 'expect-device' }>,
  command: Command,
): Promise<Flow> {
  const path = fill(instruction.path, command);
  const chip = instruction.chip && fill(instruction.chip, command);
  const kind = instruction.kind && fill(instruction.kind, command);
  const wanted = [path, chip, kind].filter((part) => part !== undefined).join(' ');
  const look = ({ devices }: Identity): Found => {
    const device = devices.find(({ paths }) => paths.includes(path));
    if (!device) return { holds: false, actual: null };
    const holds =
      (chip === undefined || same(device.chip, chip)) && (kind === undefined || same(device.kind, kind));
    return { holds, actual: `${path} ${device.chip ?? 'unknown chip'} ${device.kind ?? 'unknown kind'}` };
  };
  return expectation('EXPECT_DEVICE', wanted, path, look, instruction.texts, command);
}

export function expectI2cBus(
  instruction: Extract<Instruction, { op: 'expect-i2c-bus' }>,
  command: Command,
): Promise<Flow> {
  const path = fill(instruction.path, command);
  const look = ({ buses }: Identity): Found => {
    const bus = buses.find((one) => one.path === path || one.path === `/dev/${path}`);
    return {
      holds: bus !== undefined,
      actual: bus?.path ?? (buses.map((one) => one.path).join(', ') || null),
    };
  };
  return expectation('EXPECT_I2C_BUS', `I2C bus ${path}`, path, look, instruction.texts, command);
}

export function expectI2cChip(
  instruction: Extract<Instruction, { op: 'expect-i2c-chip' }>,
  command: Command,
): Promise<Flow> {
  const written = fill(instruction.address, command);
  const address = Number(written);
  if (!Number.isInteger(address))
    throw new RunFault('SCN261', `"${written}" is no I2C address; use for example 0x48`);
  const name = instruction.name && fill(instruction.name, command);
  const look = ({ buses }: Identity): Found => {
    const chips = buses.flatMap((bus) => bus.chips).filter((chip) => chip.address === address);
    const holds = chips.some((chip) => name === undefined || same(chip.name, name));
    return { holds, actual: chips.length > 0 ? chips.map((chip) => chip.name).join(', ') : null };
  };
  const wanted = `I2C chip ${written}${name === undefined ? '' : ` ${name}`}`;
  return expectation('EXPECT_I2C_CHIP', wanted, written, look, instruction.texts, command);
}

const fill = (text: string, { run }: Command): string => (text.includes('$') ? run.strictText(text) : text);
