import * as assert from 'uvu/assert';
import { suite } from '../../lib/testing/suite.ts';
import { drawn } from '../compare/benchmark/judge.ts';
import type { Screen } from '../compare/benchmark/screen.ts';
import { flat } from '../testing/pictures.ts';
import { textCrop } from './crop.ts';
import { TextReader } from './text-reader.ts';

const test = suite('reading text');
const SLOW = { timeoutMs: 120_000 };

const WORDS = ['Pressure 12.5 mbar', 'Open the valve', 'Serial number 4711'];
const screen = (ink: string, ground: string): Screen => ({
  width: 400,
  height: 200,
  theme: { ground, panel: ground, ink, accent: '#3366cc', line: ground },
  fontSize: 14,
  controls: WORDS.map((text, index) => ({
    kind: 'label',
    x: 20,
    y: 50 + index * 40,
    width: 160,
    height: 20,
    text,
  })),
  caret: undefined,
  dialog: undefined,
});
const boxes = WORDS.map((_, index) => ({ x0: 15, y0: 50 + index * 40, x1: 200, y1: 72 + index * 40 }));

test(
  'words are read offline, dark on light and light on dark, a second time from memory, and none after time is up',
  async () => {
    const reader = new TextReader();
    const { fetch } = globalThis;
    globalThis.fetch = () => Promise.reject(new Error('the network was asked'));
    try {
      for (const [ink, ground] of [
        ['#111111', '#ffffff'],
        ['#eeeeee', '#1e2430'],
      ] as const) {
        const picture = await drawn(screen(ink, ground));
        assert.equal((await reader.read(picture, boxes, 'en'))?.texts, WORDS);
        assert.equal((await reader.read(picture, boxes, 'en'))?.texts, WORDS);
        assert.equal(await reader.read(picture, boxes, 'en', () => true), {
          texts: [null, null, null],
          unread: 3,
        });
      }
      assert.equal(
        (await reader.read(flat(60, 30, [255, 255, 255]), [{ x0: 5, y0: 5, x1: 50, y1: 20 }], 'en'))?.texts,
        [null],
      );
    } finally {
      globalThis.fetch = fetch;
      await reader.close();
    }
  },
  SLOW,
);

test('a crop is three times as large, dark on light, on its own ground', () => {
  const picture = flat(50, 40, [10, 10, 60]);
  const crop = textCrop(picture, { x0: 10, y0: 10, x1: 20, y1: 16 });
  assert.equal([crop.width, crop.height], [(10 + 2) * 3 + 48, (6 + 2) * 3 + 48]);
  assert.is(new Set(crop.data).size, 1);
  const edge = textCrop(picture, { x0: 0, y0: 0, x1: 50, y1: 40 });
  assert.equal([edge.width, edge.height], [50 * 3 + 48, 40 * 3 + 48]);
});

test.run();
