import { printWord } from '../format/words.ts';
import { isOpen } from '../forms/args.ts';
import { reportMalformed } from '../forms/malformed.ts';
import type { InstructionOf } from '../program/instruction.ts';
import { renderCheck } from '../program/render-values.ts';
import { RunFault } from '../rig/fault.ts';
import type { Identity } from '../rig/rig.ts';
import type { Command, Flow } from '../run/command.ts';
import { expectation, type Found, fill, same } from '../run/expectation.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { readMs } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

interface Wanted {
  readonly address: string;
  readonly name?: string;
}

declare module '../forms/form.ts' {
  interface Forms {
    'expect-i2c-chip': Wanted;
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    'expect-i2c-chip': Wanted & { readonly texts: CheckTexts };
  }
}

export const expectI2cChip = defineCommand({
  words: {
    EXPECT_I2C_CHIP: {
      since: 3,
      args: 'address:word name:word?',
      effect: 'check',
      doc: 'Checks that the bridge lists this I2C chip.',
      examples: ["EXPECT_I2C_CHIP '0x48' 'ADS1115'"],
    },
  },
  form: 'expect-i2c-chip',
  takesTexts: true,
  parse(args) {
    const [address, name, ...extra] = args.rest();
    args.extra(extra);
    const number = address ? Number(address.text) : Number.NaN;
    if (!address || !(isOpen(address.text) || (Number.isInteger(number) && number >= 0x03 && number <= 0x77)))
      return reportMalformed(
        args,
        'needs an I2C address from 0x03 to 0x77',
        "EXPECT_I2C_CHIP '0x48' 'ADS1115'",
      );
    return { form: 'expect-i2c-chip', address: address.text, ...(name ? { name: name.text } : {}) };
  },
  print: ({ address, name }) =>
    `EXPECT_I2C_CHIP ${printWord(address)}${name === undefined ? '' : ` ${printWord(name)}`}`,
  compile({ form, ...wanted }, line) {
    line.push({ op: form, ...wanted, texts: line.body.open(line.pos) });
  },
  operations: {
    'expect-i2c-chip': {
      plan: ({ address, name, texts }) =>
        renderCheck([`expect-i2c-chip ${address}`, name].filter((part) => part).join(' '), texts),
      cost: readMs,
      effect: moveNothing,
      run: findChip,
    },
  },
});

function findChip(instruction: InstructionOf<'expect-i2c-chip'>, command: Command): Promise<Flow> {
  const written = fill(instruction.address, command);
  const address = Number(written);
  if (!Number.isInteger(address))
    throw new RunFault('SCN261', `"${written}" is not an I2C address; use for example 0x48`);
  const name = instruction.name && fill(instruction.name, command);
  const find = ({ buses }: Identity): Found => {
    const chips = buses.flatMap((bus) => bus.chips).filter((chip) => chip.address === address);
    const holds = chips.some((chip) => name === undefined || same(chip.name, name));
    return { holds, actual: chips.length > 0 ? chips.map((chip) => chip.name).join(', ') : null };
  };
  const wanted = `I2C chip ${written}${name === undefined ? '' : ` ${name}`}`;
  return expectation('EXPECT_I2C_CHIP', wanted, written, find, instruction.texts, command);
}
