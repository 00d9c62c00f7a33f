import type { Token } from '../source/token.ts';
import type { SourceLine } from './line-cursor.ts';
import type { Include } from './node.ts';
import type { ReaderState } from './reader-state.ts';

export function readInclude(
  reader: ReaderState,
  line: SourceLine,
  tokens: readonly Token[],
  end: number,
  comment: string | undefined,
): void {
  const pos = reader.pos(line, line.start, end);
  const node: Include = {
    type: 'include',
    path: tokens[1],
    pos,
    ...(comment === undefined ? {} : { comment }),
  };
  reader.add(node, line);
  const wanted = tokens[1];
  if (!wanted) {
    reader.diagnostics.add('SCN123', "INCLUDE names a file: INCLUDE 'lib/x.oql'", pos);
    return;
  }
  if (tokens.length > 2)
    reader.diagnostics.add(
      'SCN124',
      'INCLUDE takes one path; the rest of the line is not used',
      tokens[2]!.pos,
      { severity: 'W' },
    );
  loadInclude(reader, wanted);
}

function loadInclude(reader: ReaderState, wanted: Token): void {
  const found = reader.includeState.loader.load(wanted.text, reader.file);
  if ('error' in found) {
    if (found.error === 'outside-root')
      reader.diagnostics.add(
        'SCN206',
        `${wanted.text} is outside the scenario's directory and the library; move it, or give its library with --library`,
        wanted.pos,
      );
    else
      reader.diagnostics.add(
        'SCN204',
        `${wanted.text} was not found${found.tried.length > 0 ? `; tried ${found.tried.join(', ')}` : ''}`,
        wanted.pos,
      );
    return;
  }
  const at = reader.includeState.chain.indexOf(found.file);
  if (at >= 0) {
    const cycle = [...reader.includeState.chain.slice(at), found.file]
      .map((file) => file.split('/').at(-1))
      .join(' -> ');
    reader.diagnostics.add('SCN205', `recursive includes: ${cycle}; remove one INCLUDE`, wanted.pos);
    return;
  }
  if (reader.includeState.loaded.has(found.file)) return;
  reader.includeState.loaded.add(found.file);
  const document = reader.includeState.read(found.source, found.file, {
    ...reader.includeState,
    chain: [...reader.includeState.chain, found.file],
  });
  reader.includes.push(document);
  if (
    document.items.some((item) => item.type === 'block' && (item.kind === 'GOAL' || item.kind === 'CONFIG'))
  )
    reader.diagnostics.add(
      'SCN208',
      `${wanted.text} has goals; only its macros are imported and its goals do not run`,
      wanted.pos,
    );
}
