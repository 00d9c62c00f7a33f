import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as assert from 'uvu/assert';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { suite } from '../../test-kit/suite.ts';
import { textMateGrammarText } from './textmate-grammar.ts';

const test = suite('the TextMate grammar');

const FILE = 'editors/vscode/syntaxes/scenario.tmLanguage.json';

test('the file is what the tables say (npm run docs)', () => {
  assert.is(readFileSync(FILE, 'utf8'), textMateGrammarText());
});

let grammar: textmate.IGrammar;

test.before(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(new Uint8Array(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(FILE, 'utf8'), FILE),
  });
  grammar = (await registry.loadGrammar('source.svc-scenario'))!;
});

/** Text and kind of the coloured parts of a line, by the engine of VS Code. */
const colours = (line: string): string[] =>
  grammar.tokenizeLine(line, null).tokens.flatMap(({ startIndex, endIndex, scopes }) => {
    const scope = scopes.length > 1 ? scopes.at(-1)!.replace('.svc-scenario', '') : undefined;
    return scope ? [`${scope} ${line.slice(startIndex, endIndex)}`] : [];
  });

for (const [line, expected] of [
  ['# a comment', ['comment.line.number-sign # a comment']],
  ['GOAL:', ['keyword.control.block GOAL', 'punctuation.separator :']],
  [
    'MACRO hold: # x',
    [
      'keyword.control.block MACRO',
      'entity.name.section hold',
      'punctuation.separator :',
      'comment.line.number-sign # x',
    ],
  ],
  [
    'SCENARIO: Mask #5',
    ['support.type.property-name SCENARIO', 'punctuation.separator :', 'string.unquoted Mask #5'],
  ],
  [
    "  CHECK 0.6 <= AI01 <= 0,67 V  # '😀'",
    [
      'keyword.other.command CHECK',
      'constant.numeric 0.6',
      'keyword.operator.comparison <=',
      'keyword.operator.comparison <=',
      'constant.numeric 0,67',
      'keyword.other.unit V',
      "comment.line.number-sign # '😀'",
    ],
  ],
  ["  SET 'valve-1' on", ['keyword.other.command SET', "string.quoted.single 'valve-1'"]],
  ['  WAIT 500ms', ['keyword.other.command WAIT', 'constant.numeric 500', 'keyword.other.unit ms']],
  ['  CALL hold $1', ['keyword.other.command CALL', 'variable.parameter $1']],
] as const)
  test(`the colours of ${line.trim()}`, () => assert.equal(colours(line), [...expected]));

test.run();
