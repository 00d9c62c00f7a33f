import { formatScenario, keepsMeaning } from '../../scenario/format/format.ts';
import { printDocument } from '../../scenario/format/print-document.ts';
import { Interpreter } from '../../scenario/interpreter.ts';
import { hasErrors, loadScenario } from '../../scenario/load.ts';
import { LINE_END } from '../../scenario/source/lines.ts';
import type { Pos } from '../../scenario/source/position.ts';
import type { IncludeLoader } from '../../scenario/syntax/include-loader.ts';
import type { Node } from '../../scenario/syntax/node.ts';

/** What an input did that no input may do. */
export interface FuzzFault {
  readonly stage: 'read' | 'position' | 'format' | 'meaning' | 'idempotence' | 'dry-run';
  readonly detail: string;
}

/** Puts one input through reader, formatter and dry-run; undefined when all kept their promises. */
export async function tryInput(
  source: string | Uint8Array,
  loader: IncludeLoader,
): Promise<FuzzFault | undefined> {
  let stage: FuzzFault['stage'] = 'read';
  try {
    const loaded = loadScenario(source, 'fuzz.oql', { loader });
    if (typeof source === 'string') {
      stage = 'position';
      const bad =
        badPosition(source, [loaded.document, ...loaded.document.items]) ??
        badDiagnostic(source, loaded.diagnostics);
      if (bad) return { stage, detail: bad };
      if (!hasErrors(loaded.diagnostics)) {
        stage = 'format';
        const once = printDocument(loaded.document);
        if (!keepsMeaning(loaded, once, 'fuzz.oql', { loader })) {
          // Old texts, and lines that close nothing, mean something by how they happen to be indented; such a text is
          // left as it was written.
          const stray = loaded.diagnostics.some((one) => one.code === 'SCN117');
          if (loaded.document.dialect === 'flat' && !stray) return { stage: 'meaning', detail: once };
          const left = formatScenario(source, 'fuzz.oql', { loader });
          return 'text' in left && left.text === source ? undefined : { stage: 'meaning', detail: once };
        }
        const twice = printDocument(loadScenario(once, 'fuzz.oql', { loader }).document);
        if (twice !== once) return { stage: 'idempotence', detail: `${once}\n---\n${twice}` };
      }
    }
    stage = 'dry-run';
    const result = await new Interpreter({ mode: 'dry-run', loader, quiet: true }).run(source, 'fuzz.oql');
    const seqs = result.events.every((event, index) => event.seq === index);
    if (!seqs) return { stage, detail: 'event numbers have gaps' };
    if (result.events.at(-1)?.type !== 'run.end') return { stage, detail: 'the last event is not run.end' };
    return undefined;
  } catch (thrown) {
    return { stage, detail: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}

const split = (source: string): string[] => source.split(LINE_END);

/** A range that does not lie in the text, or undefined. */
function outside(pos: Pos, lines: readonly string[]): string | undefined {
  if (pos.file !== 'fuzz.oql') return undefined;
  const ordered = pos.endLine > pos.line || (pos.endLine === pos.line && pos.endCol >= pos.col);
  const inside =
    pos.line >= 1 &&
    pos.endLine <= lines.length &&
    pos.col >= 1 &&
    pos.endCol <= lines[pos.endLine - 1]!.length + 1;
  return ordered && inside
    ? undefined
    : `${pos.line}:${pos.col}-${pos.endLine}:${pos.endCol} lies outside the text`;
}

function badPosition(source: string, nodes: readonly Node[]): string | undefined {
  const lines = split(source);
  for (const node of nodes) {
    const bad = outside(node.pos, lines);
    if (bad) return `${node.type} ${bad}`;
    if (node.type !== 'block') continue;
    for (const item of node.items) {
      const inner = outside(item.pos, lines);
      if (inner) return `${item.type} ${inner}`;
    }
  }
  return undefined;
}

function badDiagnostic(
  source: string,
  diagnostics: readonly { code: string; pos: Pos }[],
): string | undefined {
  const lines = split(source);
  for (const { code, pos } of diagnostics) {
    const bad = outside(pos, lines);
    if (bad) return `${code} ${bad}`;
  }
  return undefined;
}
