import { looseCall } from '../../commands/call.ts';
import type { Diagnostics } from '../../diagnostics/collector.ts';
import { parseForm } from '../../forms/parse-form.ts';
import type { Block, Document } from '../../syntax/node.ts';
import { statementsIn } from './names-prepass.ts';
import type { Macro } from './scope.ts';

/** Macros of a document and of all it includes. The document's own win over imported ones (SCN207). */
export function gatherMacros(document: Document, diagnostics: Diagnostics): Map<string, Macro> {
  const macros = new Map<string, Macro>();
  gather(document, false, macros, diagnostics);
  return macros;
}

function gather(
  document: Document,
  imported: boolean,
  macros: Map<string, Macro>,
  diagnostics: Diagnostics,
): void {
  for (const item of document.items) {
    if (item.type !== 'block' || (item.kind !== 'MACRO' && item.kind !== 'FUNC') || item.name === '')
      continue;
    const before = macros.get(item.name);
    if (before && before.imported === imported && before.block.pos.file === item.pos.file) {
      diagnostics.add(
        'SCN114',
        `the macro ${item.name} is defined twice; the second definition counts`,
        item.header,
      );
    } else if (before) {
      diagnostics.add(
        'SCN207',
        `the macro ${item.name} of ${short(item.pos.file)} is hidden by the one of ${short(before.block.pos.file)}`,
        item.header,
      );
      continue;
    }
    macros.set(item.name, { name: item.name, block: item, arity: arityOf(item), imported });
  }
  for (const included of document.includes) gather(included, true, macros, diagnostics);
}

const short = (file: string): string => file.split('/').at(-1) ?? file;

function arityOf(block: Block): number {
  let arity = 0;
  for (const { tokens } of statementsIn(block.items))
    for (const { text } of tokens)
      if (text.includes('$'))
        for (const [, digits] of text.matchAll(/\$\$|\$(\d+)/g))
          if (digits) arity = Math.max(arity, Number(digits));
  return arity;
}

/** SCN203: macros that call each other in a circle, each circle reported once, at the call that closes it. */
export function checkRecursion(macros: ReadonlyMap<string, Macro>, diagnostics: Diagnostics): void {
  const done = new Set<string>();
  for (const macro of macros.values()) {
    if (done.has(macro.name)) continue;
    // Depth first with a stack of its own: a chain of macros may be longer than the call stack.
    const path: { macro: Macro; calls: Iterator<{ name: string; pos: Block['pos'] }> }[] = [];
    const onPath = new Set<string>();
    const enter = (next: Macro) => {
      path.push({ macro: next, calls: callsOf(next, macros) });
      onPath.add(next.name);
    };
    enter(macro);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { value, done: finished } = top.calls.next();
      if (finished) {
        done.add(top.macro.name);
        onPath.delete(top.macro.name);
        path.pop();
        continue;
      }
      if (onPath.has(value.name)) {
        const names = path.map((entry) => entry.macro.name);
        const cycle = [...names.slice(names.indexOf(value.name)), value.name].join(' -> ');
        diagnostics.add('SCN203', `recursive macros: ${cycle}; remove one of the calls`, value.pos);
      } else {
        const next = macros.get(value.name);
        if (next && !done.has(next.name)) enter(next);
      }
    }
  }
}

function* callsOf(
  macro: Macro,
  macros: ReadonlyMap<string, Macro>,
): Generator<{ name: string; pos: Block['pos'] }> {
  for (const { command, tokens, pos } of statementsIn(macro.block.items)) {
    if ((command !== 'CALL' && command !== 'FUNC') || tokens[2]?.text === '=') continue;
    const form = parseForm(command, tokens, pos, () => undefined);
    if (form?.form !== 'call') continue;
    yield { name: form.loose ? looseCall(form, (name) => macros.has(name)).macro : form.macro, pos };
  }
}
