import { VALVE_WORDS } from '../../rig/actuators/valve-word.ts';
import type { PeripheralKind, Registry, Sensor } from '../../rig/registry/registry.ts';
import { UNIT_ROWS } from '../../rig/units/unit-table.ts';
import { comparable, UNIT_NAMES } from '../../rig/units/units.ts';
import { COMMANDS } from '../commands/table.ts';
import { PARAMETERS } from '../program/compile/scope.ts';
import { BLOCK_KINDS, HIGHEST_VERSION, METADATA_KEYS, OPERATORS } from '../syntax/words.ts';
import { parseNumber } from '../values/number.ts';
import type { Analysis } from './analysis.ts';
import { type ArgumentCursor, type Cursor, cursorAt } from './cursor.ts';
import { sensorText } from './describe.ts';
import { macrosOf } from './macros.ts';
import { goalsOf, variablesOf, writtenName } from './names.ts';
import type { TextRange } from './source-text.ts';

export interface CompletionItem {
  /** Shown, and compared with what was typed. */
  readonly label: string;
  readonly kind:
    | 'command'
    | 'block'
    | 'metadata'
    | 'actuator'
    | 'sensor'
    | 'variable'
    | 'macro'
    | 'goal'
    | 'unit'
    | 'value'
    | 'file';
  readonly detail?: string;
  readonly documentation?: string;
  /** What is written. */
  readonly text: string;
}

/** What may be written at an offset, and the range that it replaces. */
export interface Completion extends TextRange {
  readonly items: readonly CompletionItem[];
}

/** The completion at an offset; without items where a text is free. */
export function completionAt(analysis: Analysis, offset: number): Completion {
  const cursor = cursorAt(analysis, offset);
  if (cursor.kind === 'nothing') return { from: offset, to: offset, items: [] };
  return { from: cursor.from, to: offset, items: itemsAt(analysis, cursor) };
}

function itemsAt(analysis: Analysis, cursor: Exclude<Cursor, { kind: 'nothing' }>): CompletionItem[] {
  if (cursor.kind === 'first-word') return firstWords(cursor);
  if (cursor.kind === 'metadata') return cursor.key === 'VERSION' ? words('value', VERSIONS) : [];
  return argumentItems(analysis, cursor);
}

const VERSIONS = Array.from({ length: HIGHEST_VERSION }, (_, index) => `${index + 1}`);

const words = (kind: CompletionItem['kind'], list: Iterable<string>): CompletionItem[] =>
  [...list].map((label) => ({ label, kind, text: label }));

const CONTEXTS = { GOAL: 'goal', CONFIG: 'config', MACRO: 'macro', FUNC: 'macro', AT: 'goal' } as const;

function firstWords({ indented, block }: Extract<Cursor, { kind: 'first-word' }>): CompletionItem[] {
  const context =
    !indented || !block
      ? 'top'
      : block.kind in CONTEXTS
        ? CONTEXTS[block.kind as keyof typeof CONTEXTS]
        : undefined;
  const commands = COMMANDS.filter(
    ({ notExecutable, legacy, contexts }) =>
      !notExecutable && !legacy && context !== undefined && contexts.includes(context),
  ).map(
    ({ name, args, doc }): CompletionItem => ({
      label: name,
      kind: 'command',
      detail: [name, ...args.map((arg) => (arg.optional ? `[${arg.name}]` : arg.name))].join(' '),
      documentation: doc,
      text: name,
    }),
  );
  if (indented) return commands;
  const blocks = words(
    'block',
    [...BLOCK_KINDS.keys()].map((kind) => `${kind}:`),
  );
  return [
    ...blocks,
    ...commands,
    ...(block
      ? []
      : words(
          'metadata',
          [...METADATA_KEYS].map((key) => `${key}:`),
        )),
  ];
}

function argumentItems(analysis: Analysis, cursor: ArgumentCursor): CompletionItem[] {
  const { argument, quoted, words: before } = cursor;
  const { registry, includePaths } = analysis.environment;
  const name = (kind: CompletionItem['kind'], label: string, detail?: string): CompletionItem => ({
    label,
    kind,
    text: writtenName(label, quoted),
    ...(detail === undefined ? {} : { detail }),
  });
  const variables = () => variablesOf(analysis).map((one) => name('variable', one));
  const sensors = () =>
    registry.sensorNames().map((one) => name('sensor', one, sensorText(registry.sensor(one)!)));
  switch (argument?.kind) {
    case 'target':
      return [
        ...actuators(registry, cursor.spec.name === 'ASSERT_VALVE' ? 'valve' : undefined).map(([one, kind]) =>
          name('actuator', one, kind),
        ),
        ...(cursor.spec.name === 'SET' ? [...words('variable', PARAMETERS), ...variables()] : []),
      ];
    case 'sensor':
      return [...sensors(), ...variables()];
    case 'variable':
    case 'label':
      return variables();
    case 'macro':
      return [...macrosOf(analysis).values()].map(({ name: macro, macro: { arity } }) =>
        name(
          'macro',
          macro,
          arity === 0 ? 'no arguments' : `${arity} ${arity === 1 ? 'argument' : 'arguments'}`,
        ),
      );
    case 'goal':
      return goalsOf(analysis).map((goal) => name('goal', goal));
    case 'path':
      return cursor.spec.name === 'INCLUDE'
        ? (includePaths?.(analysis.file) ?? []).map((path) => ({
            label: path,
            kind: 'file',
            text: quoted ? path : `'${path}'`,
          }))
        : [];
    case 'value':
      return valueItems(registry, before);
    case 'unit':
      return unitItems(registry, before);
    case 'condition':
    case 'range':
    case 'quantity':
      if (isNumber(before.at(-1))) return unitItems(registry, before);
      return cursor.spec.args[0]?.kind === 'condition' && !isOperator(before.at(-1))
        ? [...sensors(), ...variables()]
        : variables();
    case 'duration':
      return isNumber(before.at(-1)) ? words('unit', DURATION_UNITS) : [];
    case 'word':
      return cursor.spec.name === 'SAMPLE' ? words('value', ['START', 'STOP']) : [];
    default:
      return [];
  }
}

const DURATION_UNITS = ['ms', 's', 'min', 'h'];

const isNumber = (word: string | undefined): boolean => word !== undefined && parseNumber(word) !== undefined;
const isOperator = (word: string | undefined): boolean =>
  word !== undefined && (OPERATORS.has(word) || word === '..');

const actuators = (registry: Registry, only: PeripheralKind | undefined): [string, PeripheralKind][] =>
  registry.peripheralNames().flatMap((one): [string, PeripheralKind][] => {
    const { kind } = registry.peripheral(one)!;
    return only === undefined || kind === only ? [[one, kind]] : [];
  });

/** What the actuator named before takes. */
function valueItems(registry: Registry, [, ...before]: readonly string[]): CompletionItem[] {
  if (isNumber(before.at(-1))) return unitItems(registry, ['', ...before]);
  const kind = registry.peripheral(before[0] ?? '')?.kind;
  if (kind === 'valve') return words('value', [VALVE_WORDS.open[0]!, VALVE_WORDS.closed[0]!]);
  if (kind === 'lung') return words('value', ['start', 'stop']);
  return kind === 'pump' ? words('value', ['on', 'off']) : [];
}

/** Units that fit the sensor or the actuator named before; all where none is. */
function unitItems(registry: Registry, before: readonly string[]): CompletionItem[] {
  const sensor = before.map((word) => registry.sensor(word)).find((one) => one !== undefined);
  if (sensor) return words('unit', unitsOf(sensor));
  const isPump =
    before[0]?.toUpperCase() === 'PUMP' || before.some((word) => registry.peripheral(word)?.kind === 'pump');
  return words('unit', isPump ? ['%', ...FLOW_UNITS] : UNIT_NAMES);
}

const FLOW_UNITS = UNIT_ROWS.flatMap(({ dimension, names }) => (dimension === 'flow' ? [names[0]!] : []));

const unitsOf = ({ unit, calibration }: Sensor): string[] =>
  UNIT_NAMES.filter(
    (one) => comparable(one, unit) || (calibration !== undefined && comparable(one, calibration.unit)),
  );
