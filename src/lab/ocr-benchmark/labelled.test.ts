import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { confusionsOf } from './confusions.ts';
import { isAsShown, labelledScreens, matched } from './labelled.ts';

const test = suite('truth of texts');

const box = (x: number, y: number, width: number, height = 16) => ({ x, y, width, height });

test('items are left out by their truth alone: cut, wrapped or of a width that cannot be', () => {
  const folder = mkdtempSync(join(tmpdir(), 'labelled-'));
  try {
    const items = [
      { class: 'text', box: box(0, 0, 60), text: 'Open   the' },
      { class: 'text', box: box(0, 100, 400), text: 'x'.repeat(60) },
      { class: 'text', box: box(0, 200, 50), text: 'two lines' },
      { class: 'text', box: box(0, 217, 50), text: 'two lines' },
      { class: 'text', box: box(0, 300, 20), text: 'far too long' },
      { class: 'interactive', box: box(200, 0, 100, 40), text: 'Stop' },
      { class: 'inner-text', box: box(230, 10, 30), text: 'Stop' },
      { class: 'container', box: box(0, 0, 500, 500), text: 'no item' },
    ];
    writeFileSync(join(folder, 'one.gt.json'), JSON.stringify({ id: 'one', items }));
    const [screen] = labelledScreens(folder);
    assert.equal(
      screen?.items.map(({ text, unfit }) => [text.slice(0, 12), unfit]),
      [
        ['Open the', undefined],
        ['xxxxxxxxxxxx', 'cut'],
        ['two lines', 'wrapped'],
        ['two lines', 'wrapped'],
        ['far too long', 'width'],
        ['Stop', undefined],
      ],
    );
    const found = matched([{ x0: 1, y0: 1, x1: 60, y1: 16 }], screen?.items ?? []);
    assert.equal(
      [...found].map(([at, { text }]) => [at, text]),
      [[0, 'Open the']],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('capitals that equal the truth in capitals are exact as shown, and nothing else is', () => {
  assert.ok(isAsShown('Interface', 'INTERFACE'));
  assert.ok(isAsShown('Interface', 'Interface'));
  assert.not.ok(isAsShown('Interface', 'interface'));
  assert.not.ok(isAsShown('Interface', 'INTERFACe'));
  assert.not.ok(isAsShown('12', '13'));
});

test('confusions name the letters', () => {
  assert.equal(confusionsOf('FileInfo 1', 'Filelnfo1'), ['I→l', '·→']);
  assert.equal(confusionsOf('Go', 'Gox'), ['→x']);
  assert.equal(confusionsOf('same', 'same'), []);
});

test.run();
