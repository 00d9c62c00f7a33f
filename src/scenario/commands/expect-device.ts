import { printWord } from '../format/words.ts';
import { reportMalformed } from '../forms/malformed.ts';
import type { InstructionOf } from '../program/instruction.ts';
import { renderCheck } from '../program/render-values.ts';
import type { Identity } from '../rig/rig.ts';
import type { Command, Flow } from '../run/command.ts';
import { expectation, type Found, fill, same } from '../run/expectation.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { readMs } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

interface Wanted {
  readonly path: string;
  readonly chip?: string;
  readonly kind?: string;
}

declare module '../forms/form.ts' {
  interface Forms {
    'expect-device': Wanted;
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    'expect-device': Wanted & { readonly texts: CheckTexts };
  }
}

export const expectDevice = defineCommand({
  words: {
    EXPECT_DEVICE: {
      since: 3,
      args: 'path:path chip:word? kind:word?',
      effect: 'check',
      doc: 'Checks that the bridge lists this device path, with this chip and kind.',
      examples: ["EXPECT_DEVICE '/dev/ttyACM1' 'CH343' 'serial'"],
    },
  },
  form: 'expect-device',
  takesTexts: true,
  parse(args) {
    const [path, chip, kind, ...extra] = args.rest();
    if (!path)
      return reportMalformed(args, 'needs a device path', "EXPECT_DEVICE '/dev/ttyACM1' 'CH343' 'serial'");
    args.extra(extra);
    return {
      form: 'expect-device',
      path: path.text,
      ...(chip ? { chip: chip.text } : {}),
      ...(kind ? { kind: kind.text } : {}),
    };
  },
  print: ({ path, chip, kind }) =>
    [
      'EXPECT_DEVICE',
      ...[path, chip, kind].flatMap((text) => (text === undefined ? [] : printWord(text))),
    ].join(' '),
  compile({ form, ...wanted }, line) {
    line.push({ op: form, ...wanted, texts: line.body.open(line.pos) });
  },
  operations: {
    'expect-device': {
      plan: ({ path, chip, kind, texts }) =>
        renderCheck([`expect-device ${path}`, chip, kind].filter((part) => part).join(' '), texts),
      cost: readMs,
      effect: moveNothing,
      run: findDevice,
    },
  },
});

/** The bridge lists the path, by its node or a link to it, with that chip and kind. */
function findDevice(instruction: InstructionOf<'expect-device'>, command: Command): Promise<Flow> {
  const path = fill(instruction.path, command);
  const chip = instruction.chip && fill(instruction.chip, command);
  const kind = instruction.kind && fill(instruction.kind, command);
  const wanted = [path, chip, kind].filter((part) => part !== undefined).join(' ');
  const find = ({ devices }: Identity): Found => {
    const device = devices.find(({ paths }) => paths.includes(path));
    if (!device) return { holds: false, actual: null };
    const holds =
      (chip === undefined || same(device.chip, chip)) && (kind === undefined || same(device.kind, kind));
    return { holds, actual: `${path} ${device.chip ?? 'unknown chip'} ${device.kind ?? 'unknown kind'}` };
  };
  return expectation('EXPECT_DEVICE', wanted, path, find, instruction.texts, command);
}
