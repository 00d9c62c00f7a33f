import type { Registry } from '../../../rig/registry/registry.ts';
import { commandOfWord } from '../../commands/table.ts';
import type { BodyItem, Document, Statement } from '../../syntax/node.ts';
import { referencedNames } from '../../values/interpolate.ts';
import { looksLikeActuator } from './looks-like-actuator.ts';
import type { Names } from './scope.ts';

const PIECES = /[^\s<>=!≤≥≠∈,;|[\]]+/g;

/** Every statement of a document and of what it includes, bodies and branches too. */
export function* statementsOf(document: Document): Generator<Statement> {
  for (const item of document.items) if (item.type === 'block') yield* statementsIn(item.items);
  for (const included of document.includes) yield* statementsOf(included);
}

export function* statementsIn(items: readonly BodyItem[]): Generator<Statement> {
  for (const item of items) {
    if (item.type !== 'statement') continue;
    yield item;
    if (item.alternatives) yield* statementsIn(item.alternatives);
    if (item.body) yield* statementsIn(item.body);
    if (item.elseLine) yield item.elseLine;
    if (item.otherwise) yield* statementsIn(item.otherwise);
  }
}

/** Takes over the names that a document and what it includes define, before any use of them is judged. */
export function gatherDefinitions(document: Document, registry: Registry, names: Names): void {
  const { declared, defined, saved, targets, sampled } = document.definitions;
  for (const name of declared) names.declare(name);
  for (const name of defined) names.define(name);
  for (const name of saved) names.save(name);
  for (const name of sampled) names.sample(name);
  for (const name of targets)
    if (!registry.peripheral(name) && !registry.sensor(name) && !looksLikeActuator(name)) names.foresee(name);
  for (const included of document.includes) gatherDefinitions(included, registry, names);
}

/** All names that are read anywhere: whole arguments, pieces of conditions, `$name`. */
export function gatherReads(document: Document): ReadonlySet<string> {
  const reads = new Set<string>();
  for (const { command, tokens } of statementsOf(document)) {
    const { isProse } = commandOfWord(command);
    for (let i = command === 'SET' ? 2 : 1; i < tokens.length; i++) {
      const { text } = tokens[i]!;
      for (const name of referencedNames(text)) reads.add(name);
      if (isProse) continue;
      reads.add(text);
      for (const [piece] of text.matchAll(PIECES)) reads.add(piece);
    }
  }
  return reads;
}
