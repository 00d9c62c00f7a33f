import * as assert from 'uvu/assert';
import { readCorpus } from '../../lab/fuzz/corpus.ts';
import { suite } from '../../test-kit/suite.ts';
import { loadScenario } from '../load.ts';
import { statementsOf } from '../program/compile/names-prepass.ts';
import { walk } from '../program/walk.ts';
import type { Pos } from '../source/position.ts';

const test = suite('positions');

function textAt(source: string, pos: Pos): string {
  const lines = source.split(/\r\n|\r|\n/);
  if (pos.line === pos.endLine) return lines[pos.line - 1]!.slice(pos.col - 1, pos.endCol - 1);
  const inner = lines.slice(pos.line, pos.endLine - 1);
  return [
    lines[pos.line - 1]!.slice(pos.col - 1),
    ...inner,
    lines[pos.endLine - 1]!.slice(0, pos.endCol - 1),
  ].join('\n');
}

const unquoted = (text: string): string => text.replace(/^(['"[])([\s\S]*)(['"\]])$/, '$2').trim();

for (const [index, source] of readCorpus('scenarios').entries())
  test(`LANG-003 every statement, token and item of shipped scenario ${index + 1} selects its own text`, () => {
    const { document } = loadScenario(source, 'x.oql');
    let tokens = 0;
    for (const statement of statementsOf(document)) {
      assert.is(textAt(source, statement.pos), statement.source);
      for (const token of statement.tokens) {
        tokens++;
        assert.is(unquoted(textAt(source, token.pos)), token.text);
      }
    }
    for (const item of document.items) {
      const text = textAt(source, item.pos);
      if (item.type === 'comment') assert.is(text, item.text);
      else if (item.type === 'metadata')
        assert.ok(text.startsWith(`${item.key}:`) && text.includes(item.value));
      else if (item.type === 'block') {
        assert.ok(text.startsWith(textAt(source, item.header)));
        assert.ok(textAt(source, item.header).includes(item.headerName ?? ''));
      }
    }
    assert.ok(tokens > 0);
  });

test('LANG-003 LANG-006 columns count UTF-16 units, with BOM, tabs, CRLF, CR and without a last newline', () => {
  const source = "\uFEFFGOAL:\r\n\tSET NAME '𝔸 é'\r  LOG '𝔸' extra\n\t\tWAIT 5x";
  const { diagnostics, document } = loadScenario(source, 'x.oql');
  const at = (code: string) => textAt(source, diagnostics.find((one) => one.code === code)!.pos);
  assert.is(at('SCN124'), 'extra');
  assert.is(at('SCN126'), '5x');
  assert.is(document.items.length, 1);
  assert.is(document.items[0]!.pos.col, 2, 'the byte order mark is a character of the text');
});

test('LANG-004 expanded commands stand in the macro and carry their calls, innermost first', () => {
  const source =
    'MACRO inner:\n  CHECK $1 <= 5 V\nMACRO outer:\n  CALL inner $1\nGOAL x:\n  CALL outer AI01\n  CALL inner AI02\n';
  const { program } = loadScenario(source, 'x.oql');
  const checks = [...walk(program.blocks[0]!.instructions)].filter((one) => one.op === 'check');
  assert.equal(
    checks.map(({ pos, text, stack }) => [
      textAt(source, pos),
      text,
      stack?.map((call) => textAt(source, call)),
    ]),
    [
      ['CHECK $1 <= 5 V', 'CHECK AI01 <= 5 V', ['CALL inner $1', 'CALL outer AI01']],
      ['CHECK $1 <= 5 V', 'CHECK AI02 <= 5 V', ['CALL inner AI02']],
    ],
  );
});

test('LANG-002 the file name changes nothing but the positions', () => {
  const source = 'GOAL x:\n  SET valve-l 1\n  CHECK AI01 <= 5 V\n  CHCK\n';
  const without = (name: string) =>
    JSON.stringify(loadScenario(source, name).diagnostics).replaceAll(name, 'FILE');
  assert.is(without('a.oql'), without('weird name.html'));
  assert.is(without('a.oql'), without('x.cql'));
});

test.run();
