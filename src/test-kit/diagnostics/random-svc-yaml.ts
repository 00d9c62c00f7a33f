import { parse } from 'yaml';
import type { Random } from '../../lib/random/seeded-random.ts';

/** The values of the valve board that a repair may change. */
export interface ModbusValues {
  serial_port: string;
  baudrate: number;
  parity: 'N' | 'E' | 'O';
}

type Key = keyof ModbusValues;

/** A `svc.yaml` as a person may have written it, and where in it the three values stand. */
export interface RandomSvcYaml {
  text: string;
  /** Text between the values, in order: a repair has to leave each of these as it is. */
  parts: readonly string[];
  /** Keys whose values stand between the parts; one that the file leaves out is missing here. */
  keys: readonly Key[];
  /** An anchor or alias shares the values with other keys. */
  isShared: boolean;
}

/** Marks a value in the text while it is written. */
const MARK = '\u0001';

/** Comments, anchors, quotes, styles, blanks and line ends by chance. @param values what the file says */
export function randomSvcYaml(random: Random, values: ModbusValues): RandomSvcYaml {
  const pick = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];
  const chance = (share: number) => random() < share;
  let comments = 0;
  const comment = () =>
    `#${pick('', ' ')}${pick('note', 'ćwiczenie: {x}', 'baudrate: 9600', "it's", '"', '- a: &b *c', '📏', 'a # b')} ${comments++}`;
  const tail = () => (chance(0.3) ? `${pick(' ', '   ', '\t')}${comment()}` : pick('', '', '', '  '));
  const filler = () => (chance(0.3) ? [pick('', '   ', comment(), `      ${comment()}`)] : []);
  const quoted = (text: string) => pick(text, text, `'${text}'`, `"${text}"`);
  const colon = () => pick(': ', ':   ', ': ');

  const written = (Object.keys(values) as Key[]).filter((key) => key !== 'parity' || chance(0.7));
  const order = written.sort(() => random() - 0.5);
  const scalar = (key: Key) =>
    key === 'baudrate'
      ? pick(
          String(values.baudrate),
          String(values.baudrate),
          `0x${values.baudrate.toString(16)}`,
          `${values.baudrate}.0`,
        )
      : quoted(values[key]);
  const tag = (key: Key) => (key !== 'baudrate' && chance(0.1) ? '!!str ' : '');
  const pair = (key: Key) => `${quoted(key)}${colon()}${tag(key)}${MARK}${key}${MARK}${scalar(key)}${MARK}`;
  const device = `device_id${colon()}1`;
  const isShared = chance(0.05);
  const indent = pick('  ', '    ', '   ');

  const params = (): string[] => {
    const anchor = isShared ? ' &line' : '';
    const pairs = [...order.map(pair), device].sort(() => random() - 0.5);
    const key = `${indent.repeat(2)}${quoted('connection_params')}:${anchor}`;
    switch (pick('block', 'block', 'flow', 'lines')) {
      case 'flow':
        return [`${key} {${pick('', ' ')}${pairs.join(pick(', ', ',  '))}${pick('', ' ', ',')}}${tail()}`];
      case 'lines':
        return [
          `${key} {`,
          ...pairs.map(
            (one, at) =>
              `${indent.repeat(3)}${one}${at < pairs.length - 1 || chance(0.5) ? ',' : ''}${tail()}`,
          ),
          `${indent.repeat(2)}}${tail()}`,
        ];
      default:
        return [
          `${key}${tail()}`,
          ...pairs.flatMap((one) => [...filler(), `${indent.repeat(3)}${one}${tail()}`]),
        ];
    }
  };
  const plugin = (): string[] => [
    `${indent}${quoted('modbus-io')}:${tail()}`,
    ...filler(),
    ...[
      [`${indent.repeat(2)}connection_type${colon()}${quoted('modbus-rtu')}${tail()}`],
      ...(chance(0.5) ? [[`${indent.repeat(2)}enabled${colon()}true${tail()}`]] : []),
      params(),
    ]
      .sort(() => random() - 0.5)
      .flat(),
  ];
  const adc = [
    `${indent}sensor-adc: { connection_type: i2c, connection_params: { bus: 1, address: 0x48 } }${tail()}`,
  ];
  const plugins = [
    `plugins:${tail()}`,
    ...(chance(0.5) ? [...plugin(), ...filler(), ...adc] : [...adc, ...filler(), ...plugin()]),
  ];
  const others = [
    [
      'aliases:',
      `${indent}'valve-nc'${colon()}${pick('', '&first ')}"valve-1"${tail()}`,
      `${indent}b: valve-2`,
    ],
    [`pump: {full_scale_lpm: ${pick('10', '10.0', '1e1')}}${tail()}`],
    ['limits:', `${indent}run:`, `${indent.repeat(2)}max_duration_s: 600${tail()}`],
  ].filter(() => chance(0.6));
  const sections = [plugins, ...others].sort(() => random() - 0.5);
  const lines = [
    ...(chance(0.3) ? ['---'] : []),
    ...(chance(0.5) ? [comment()] : []),
    ...sections.flatMap((section) => [...section, ...filler()]),
    ...(chance(0.3) ? [comment()] : []),
  ];
  const marked = `${chance(0.1) ? '\uFEFF' : ''}${lines.join(pick('\n', '\n', '\r\n'))}${pick('\n', '\n', '')}`;
  const pieces = marked.split(MARK);
  return {
    text: pieces.filter((_, at) => at % 3 !== 1).join(''),
    parts: pieces.filter((_, at) => at % 3 === 0),
    keys: pieces.filter((_, at) => at % 3 === 1) as Key[],
    isShared,
  };
}

/** What a repair may add where the file leaves the parity out: a line, or a pair in braces with or without its comma. */
const ADDED = [/\r?\n *parity: [NEO]/g, /,? *parity: [NEO]/g, / *parity: [NEO]/g] as const;

/** Why a repaired text is more than the same text with other values; undefined where it is that. */
export function strayChange(
  { parts, keys }: RandomSvcYaml,
  repaired: string,
  values: ModbusValues,
): string | undefined {
  const isAdded = !keys.includes('parity') && values.parity !== 'N';
  const candidates = isAdded
    ? ADDED.flatMap((added) => [...repaired.matchAll(added)]).map(
        ({ 0: found, index }) => repaired.slice(0, index) + repaired.slice(index + found.length),
      )
    : [repaired];
  const faults = candidates.map((text) => difference(text, parts, keys, values));
  return candidates.length === 0
    ? 'the parity was not added'
    : faults.includes(undefined)
      ? undefined
      : faults[0];
}

function difference(
  text: string,
  parts: readonly string[],
  keys: readonly Key[],
  values: ModbusValues,
): string | undefined {
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (!text.startsWith(part, at))
      return `not as it was behind ${JSON.stringify(text.slice(Math.max(0, at - 40), at))}`;
    at += part.length;
    const key = keys[index];
    if (key === undefined) continue;
    const [value = ''] = /^(?:'[^']*'|"[^"]*"|[^\s,}#]+)/.exec(text.slice(at)) ?? [];
    if (parse(value) !== values[key]) return `${key} is ${value}`;
    at += value.length;
  }
  return at === text.length ? undefined : `more behind the end: ${JSON.stringify(text.slice(at))}`;
}
