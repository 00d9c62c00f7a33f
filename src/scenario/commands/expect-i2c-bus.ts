import { printWord } from '../format/words.ts';
import { reportMalformed } from '../forms/malformed.ts';
import type { InstructionOf } from '../program/instruction.ts';
import { renderCheck } from '../program/render-values.ts';
import type { Identity } from '../rig/rig.ts';
import type { Command, Flow } from '../run/command.ts';
import { expectation, type Found, fill } from '../run/expectation.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { readMs } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    'expect-i2c-bus': { readonly path: string };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    'expect-i2c-bus': { readonly path: string; readonly texts: CheckTexts };
  }
}

export const expectI2cBus = defineCommand({
  words: {
    EXPECT_I2C_BUS: {
      since: 3,
      args: 'path:path',
      effect: 'check',
      doc: 'Checks that the bridge lists this I2C bus.',
      examples: ["EXPECT_I2C_BUS '/dev/i2c-1'"],
    },
  },
  form: 'expect-i2c-bus',
  takesTexts: true,
  parse(args) {
    const path = args.take();
    args.end();
    return path
      ? { form: 'expect-i2c-bus', path: path.text }
      : reportMalformed(args, 'needs a bus', "EXPECT_I2C_BUS '/dev/i2c-1'");
  },
  print: ({ path }) => `EXPECT_I2C_BUS ${printWord(path)}`,
  compile: ({ path }, line) => line.push({ op: 'expect-i2c-bus', path, texts: line.body.open(line.pos) }),
  operations: {
    'expect-i2c-bus': {
      plan: ({ path, texts }) => renderCheck(`expect-i2c-bus ${path}`, texts),
      cost: readMs,
      effect: moveNothing,
      run: findBus,
    },
  },
});

function findBus(instruction: InstructionOf<'expect-i2c-bus'>, command: Command): Promise<Flow> {
  const path = fill(instruction.path, command);
  const find = ({ buses }: Identity): Found => {
    const bus = buses.find((one) => one.path === path || one.path === `/dev/${path}`);
    return {
      holds: bus !== undefined,
      actual: bus?.path ?? (buses.map((one) => one.path).join(', ') || null),
    };
  };
  return expectation('EXPECT_I2C_BUS', `I2C bus ${path}`, path, find, instruction.texts, command);
}
