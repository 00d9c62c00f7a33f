import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { detect } from '../../window/detect/detect.ts';
import { overlapOf } from '../../window/detect/element.ts';
import { decodePng } from '../../window/image/png/decode.ts';
import { f1Of, scoreOf, sumOf } from '../window-benchmark/score.ts';
import { Browser } from './browser.ts';
import { boxOfItem, inkBox } from './labels.ts';
import { consolePage, page } from './pages/page.ts';
import { TRUTH_SCRIPT, type TruthItem } from './truth-script.ts';

const test = suite();

const CHROMIUM = '/usr/bin/chromium';
const SIZE = { width: 1280, height: 800 };
const withChromium = test.needs(existsSync(CHROMIUM), `${CHROMIUM} is not installed`);

async function inBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await Browser.open(CHROMIUM, SIZE);
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

const truthOf = async (browser: Browser, html: string): Promise<TruthItem[]> => {
  await browser.show(html);
  return (await browser.evaluate(TRUTH_SCRIPT)) as TruthItem[];
};

test('a seed always makes the same page, another seed another one', () => {
  assert.is(page(5), page(5));
  assert.is.not(page(5), page(6));
});

withChromium('each line of a console is text, its columns one by one', async () => {
  const items = await inBrowser((browser) => truthOf(browser, consolePage(900_005)));
  const texts = items.filter((item) => item.class === 'text');
  assert.ok(texts.length >= 8, String(texts.length));
  for (const { class: name } of items) assert.ok(['text', 'container'].includes(name), name);
});

withChromium(
  'the truth of a page tells controls, lines of text, links of their own and links in running text apart',
  async () => {
    const html = `<!doctype html><body style="margin:20px;font:16px sans-serif">
      <button style="position:absolute;left:300px;top:20px;width:120px;height:40px">Stop</button>
      <p style="margin:0;width:200px">Read <a href="#">the manual</a> first.</p>
      <p style="margin:10px 0"><a href="#">Valves</a></p>
      <div style="position:absolute;left:500px;top:20px;width:90px;height:60px;background:#ccc"></div>
      <svg style="position:absolute;left:20px;top:200px" width="50" height="40"><rect width="50" height="40"/></svg>`;
    const items = await inBrowser((browser) => truthOf(browser, html));
    const boxes = (name: string) => items.filter((item) => item.class === name);
    assert.equal(boxes('interactive')[0]?.box, { x: 300, y: 20, width: 120, height: 40 });
    assert.is(boxes('interactive')[0]?.role, 'button');
    assert.is(boxes('interactive')[1]?.role, 'link');
    assert.is(boxes('interactive').length, 2);
    assert.is(boxes('text').length, 1);
    assert.is(boxes('inline').length, 1);
    assert.equal(boxes('graphic')[0]?.box, { x: 20, y: 200, width: 50, height: 40 });
    assert.equal(boxes('container')[0]?.box, { x: 500, y: 20, width: 90, height: 60 });
  },
);

withChromium(
  'the truth of a page has icons of fonts, of sprites and of style alone, but no empty box',
  async () => {
    const sprite =
      'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2220%22 height=%2220%22%3E%3Crect width=%2220%22 height=%2220%22/%3E%3C/svg%3E';
    const html = `<!doctype html><style>i,span{position:absolute;top:20px;width:20px;height:20px;display:block}.font::before{content:'\\25B6'}.drawn::before{content:'';position:absolute;inset:4px;border:2px solid #000}</style>
    <body style="margin:0"><i class="font" style="left:20px"></i><span class="drawn" style="left:60px"></span>
    <span style="left:100px;background:url(&quot;${sprite}&quot;)"></span><span style="left:140px"></span>`;
    const items = await inBrowser((browser) => truthOf(browser, html));
    assert.equal(
      items.filter((item) => item.class === 'graphic').map(({ box }) => box.x),
      [20, 60, 100],
    );
  },
);

withChromium('the truth of a control has the texts of each block in it on their own', async () => {
  const html =
    '<!doctype html><body style="margin:0"><a href="#" style="display:block;width:300px;border:1px solid"><span style="display:flex;justify-content:space-between"><b>Inlet valve</b><span>open</span></span>twice a day</a>';
  const items = await inBrowser((browser) => truthOf(browser, html));
  assert.equal(
    items.filter((item) => item.class === 'inner').map(({ text }) => text),
    ['Inlet valve', 'open', 'twice a day'],
  );
});

withChromium('the truth of a card that can be pressed as a whole has the elements in it', async () => {
  const html =
    '<!doctype html><body style="margin:0"><a href="#" style="display:block;width:200px;height:220px;border:1px solid"><h4>Inlet</h4><p>4.82 bar</p><p>open</p><button>Close</button></a><a href="#" style="display:block;width:200px;height:60px;border:1px solid">one<br>two<br>three</a><button style="width:104px;height:100px;display:block">Start the breathing machine</button>';
  const items = await inBrowser((browser) => truthOf(browser, html));
  assert.equal(
    items
      .filter((item) => item.class === 'text' || item.class === 'interactive')
      .map(({ class: name, text }) => `${name} ${text}`),
    [
      'interactive Close',
      'interactive one two three',
      'interactive Start the breathing machine',
      'text Inlet',
      'text 4.82 bar',
      'text open',
    ],
  );
});

withChromium('WIN-029 a value is one text, however large and bold its type is', async () => {
  const read = await inBrowser(async (browser) => {
    const found: string[] = [];
    for (const weight of [400, 600, 700])
      for (const size of [40, 56, 72, 96, 130]) {
        const items = await truthOf(
          browser,
          `<!doctype html><body style="font:15px 'DejaVu Sans';margin:20px"><p>Inlet pressure</p><div style="font:${weight} ${size}px 'DejaVu Sans'">-101.3 mbar</div><p>Chamber</p><div style="font:${weight} ${size}px 'Liberation Sans'">4.87 kPa</div><button>Start</button>`,
        );
        const large = items.filter((item) => item.class === 'text' && item.box.height > size);
        assert.is(large.length, 2);
        const pixels = await decodePng(await browser.shot());
        const boxes = detect(pixels).map(({ box }) => box);
        for (const item of large) {
          // From its minus or its first digit to the end of its unit.
          const ink = inkBox(pixels, boxOfItem(item));
          const hits = boxes.filter((box) => overlapOf(box, boxOfItem(item)) >= 0.5);
          const isWhole = hits.every(
            (box) => Math.abs(box.x0 - ink.x0) <= 4 && Math.abs(box.x1 - ink.x1) <= 4,
          );
          if (hits.length !== 1 || !isWhole) found.push(`${item.text} ${weight} ${size}px: ${hits.length}`);
        }
      }
    return found;
  });
  assert.equal(read, []);
});

withChromium('WIN-031 the truth of preformatted lines parts columns, and no words', async () => {
  const html =
    '<!doctype html><body style="margin:0"><pre style="margin:0;font:14px monospace">flow   40 %\nthe lung  breathes</pre>';
  const items = await inBrowser((browser) => truthOf(browser, html));
  assert.equal(
    items.filter((item) => item.class === 'text').map(({ text }) => text),
    ['flow', '40 %', 'the lung breathes'],
  );
});

withChromium(
  'WIN-007 buttons, inputs, texts and icons of pages that it was not trained on are found at the agreed score',
  async () => {
    const scores = await inBrowser(async (browser) => {
      const all = [];
      for (let seed = 900_000_000; seed < 900_000_020; seed++) {
        const truth = await truthOf(browser, page(seed));
        const pixels = await decodePng(await browser.shot());
        const items = truth.map((item) => {
          const { x0, y0, x1, y1 } = inkBox(pixels, boxOfItem(item));
          return { class: item.class, box: item.box, ink: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } };
        });
        const found = detect(pixels).map(({ box }) => box);
        found.forEach((box, i) => {
          for (const other of found.slice(i + 1)) assert.ok(overlapOf(box, other) <= 0.85);
        });
        all.push(
          scoreOf(
            {
              id: `${seed}`,
              image: '',
              isDesktop: false,
              family: 'generated',
              page: `${seed}`,
              scale: 1,
              items,
            },
            found,
          ),
        );
      }
      return sumOf(all);
    });
    const { hits, wrong, missed, strictHits, strictWrong, strictMissed } = scores;
    const [f1, strict] = [f1Of(hits, wrong, missed), f1Of(strictHits, strictWrong, strictMissed)];
    assert.ok(f1 >= 0.85, `F1 ${f1.toFixed(3)}`);
    assert.ok(strict >= 0.75, `strict F1 ${strict.toFixed(3)}`);
  },
  { timeoutMs: 300_000 },
);

test.run();
