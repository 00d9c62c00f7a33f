import { printWord } from '../format/words.ts';
import { isOpen } from '../forms/args.ts';
import { reportMalformed } from '../forms/malformed.ts';
import { renderCheck } from '../program/render-values.ts';
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
      doc: 'The bridge lists this I2C chip.',
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
    },
  },
});
