import { VOCABULARY } from '../language-service/vocabulary.ts';

/** Colours of the language for editors that take a TextMate grammar, from the tables that the reader itself uses. */
export function textMateGrammar(): object {
  const { blocks, metadata, commands, keywords, units } = VOCABULARY;
  return {
    name: 'Scenario of svc-rig',
    scopeName: 'source.svc-scenario',
    fileTypes: ['oql', 'cql'],
    patterns: [
      { include: '#comment' },
      { include: '#header' },
      { include: '#metadata' },
      { include: '#at' },
      { include: '#step' },
      { include: '#command' },
      { include: '#values' },
    ],
    repository: {
      comment: { match: '^\\s*#.*$|(?<=\\s)#(?=\\s|$).*$', name: 'comment.line.number-sign.svc-scenario' },
      header: {
        match: `^\\s*(?i:(${oneOf(blocks)}))(?:\\s+(.*?))?(:)\\s*(?!#(?:\\s|$))(.*?)(?=\\s+#(?:\\s|$)|$)`,
        captures: {
          1: { name: 'keyword.control.block.svc-scenario' },
          2: { name: 'entity.name.section.svc-scenario' },
          3: { name: 'punctuation.separator.svc-scenario' },
          4: { name: 'entity.name.section.svc-scenario' },
        },
      },
      metadata: {
        match: `^(${oneOf(metadata)})(:)\\s*(?!#(?:\\s|$))(.*?)(?=\\s+#(?:\\s|$)|$)`,
        captures: {
          1: { name: 'support.type.property-name.svc-scenario' },
          2: { name: 'punctuation.separator.svc-scenario' },
          3: { name: 'string.unquoted.svc-scenario' },
        },
      },
      at: { match: '^\\s*(@\\S+)', name: 'entity.name.section.svc-scenario' },
      step: {
        match: '^\\s*(\\d+(?:\\.\\d+)*[.)]?)\\s+(.*?)(?=\\s+#(?:\\s|$)|$)',
        captures: {
          1: { name: 'constant.numeric.svc-scenario' },
          2: { name: 'markup.heading.svc-scenario' },
        },
      },
      command: {
        match: `^\\s*(?i:(${oneOf(commands)}))(?=[\\s:]|$)|^\\s*(→|->)`,
        captures: {
          1: { name: 'keyword.other.command.svc-scenario' },
          2: { name: 'keyword.operator.arrow.svc-scenario' },
        },
      },
      values: {
        patterns: [
          { match: "'(?:\\\\.|[^'\\\\])*'?", name: 'string.quoted.single.svc-scenario' },
          { match: '"(?:\\\\.|[^"\\\\])*"?', name: 'string.quoted.double.svc-scenario' },
          { match: '\\$\\{[^}]*\\}|\\$[\\p{L}_0-9.]+', name: 'variable.parameter.svc-scenario' },
          {
            match: `(?<![\\p{L}\\p{N}_-])([-+−]?(?:\\d+(?:[.,]\\d+)?|[.,]\\d+)(?:[eE][-+]?\\d+)?)\\s*(${oneOf(units)})?(?![\\p{L}\\p{N}_])`,
            captures: {
              1: { name: 'constant.numeric.svc-scenario' },
              2: { name: 'keyword.other.unit.svc-scenario' },
            },
          },
          { match: '(?<=\\s)#(?=\\s|$).*$', name: 'comment.line.number-sign.svc-scenario' },
          { match: `\\b(?i:${oneOf(keywords)})\\b`, name: 'keyword.control.svc-scenario' },
          { match: '<=|>=|==|!=|[<>=≤≥≠∈]|\\.\\.', name: 'keyword.operator.comparison.svc-scenario' },
        ],
      },
    },
  };
}

const oneOf = (words: readonly string[]): string =>
  words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');

/** The grammar as its file in `editors/vscode` holds it. */
export const textMateGrammarText = (): string => `${JSON.stringify(textMateGrammar(), null, 2)}\n`;
