import type { Instruction } from '../program/instruction.ts';
import type { ApiAnswer, Identity } from '../rig/rig.ts';
import { parseNumber } from '../values/number.ts';

const NOTHING: Identity = { devices: [], buses: [] };

/** What the bridge lists, so that an EXPECT_ command holds. @param fill puts variables into a text */
export function identityFor(instruction: Instruction | undefined, fill: (text: string) => string): Identity {
  switch (instruction?.op) {
    case 'expect-device': {
      const { path, chip, kind } = instruction;
      const device = { paths: [fill(path)], chip: chip ? fill(chip) : null, kind: kind ? fill(kind) : null };
      return { ...NOTHING, devices: [device] };
    }
    case 'expect-i2c-bus':
      return { ...NOTHING, buses: [{ path: fill(instruction.path), chips: [] }] };
    case 'expect-i2c-chip': {
      const { address, name = '' } = instruction;
      const chips = [{ address: Number(fill(address)), name: fill(name) }];
      return { ...NOTHING, buses: [{ path: '', chips }] };
    }
    default:
      return NOTHING;
  }
}

/** The answer of an API call: every ASSERT_ that looks at it holds. */
export class HoldingAnswer implements ApiAnswer {
  readonly #atHand: () => Instruction | undefined;
  readonly #fill: (text: string) => string;

  /** @param atHand the command that looks */
  constructor(atHand: () => Instruction | undefined, fill: (text: string) => string) {
    this.#atHand = atHand;
    this.#fill = fill;
  }

  get status(): number {
    const looks = this.#atHand();
    return looks?.op === 'assert-status' ? looks.status : 200;
  }

  get body(): unknown {
    const looks = this.#atHand();
    if (looks?.op !== 'assert-json') return {};
    const keys = looks.path.split('.').filter((key) => key !== '' && key !== '$');
    return keys.reduceRight<unknown>(
      (value, key) => ({ [key]: value }),
      holding(looks.operator, this.#fill(looks.expected)),
    );
  }
}

type JsonOperator = Extract<Instruction, { op: 'assert-json' }>['operator'];

/** A value that compares as wanted with the text of an assertion. */
function holding(operator: JsonOperator, expected: string): unknown {
  const number = parseNumber(expected);
  if (operator === '!=') return number === undefined ? `not ${expected}` : number + 1;
  if (number === undefined || operator === '=' || operator === 'contains') return expected;
  return operator === '>' ? number + 1 : operator === '<' ? number - 1 : number;
}
