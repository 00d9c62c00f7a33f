import { existsSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { drawn } from '../../lab/compare-benchmark/judge.ts';
import { makeScreen } from '../../lab/compare-benchmark/screen.ts';
import { Browser } from '../../lab/window-training/browser.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { startWindow } from '../../test-kit/services/window.ts';
import { suite } from '../../test-kit/suite.ts';
import { inFolder } from '../../test-kit/window/folder.ts';

const test = suite('the page of svc-window');
const CHROMIUM = '/usr/bin/chromium';
const withChromium = test.needs(existsSync(CHROMIUM), `${CHROMIUM} is not installed`);

/** Drops a file on the place of the first image, and waits for a message that matches. */
const dropped = (base64: string, message: RegExp) => `(async () => {
  const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], 'screen.png'));
  document.getElementById('drop-first').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  while (!${message}.test(document.getElementById('message').textContent)) await new Promise((done) => setTimeout(done, 20));
  const canvas = document.getElementById('picture');
  const painted = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
  return {
    elements: document.querySelectorAll('#tree li').length,
    description: document.getElementById('description').textContent,
    caption: document.getElementById('caption').textContent,
    painted,
    isError: document.getElementById('message').className === 'error',
  };
})()`;

withChromium(
  'WIN-034 the page clears the result of the image before when a new one cannot be taken',
  () =>
    inFolder(async (folder) => {
      const image = folder.png(
        'a.png',
        await drawn({ ...makeScreen(seededRandom(4)), width: 320, height: 200 }),
      );
      const service = await startWindow({ SVC_STATE_DIR: folder.file('state'), HOME: folder.path });
      const browser = await Browser.open(CHROMIUM, { width: 900, height: 700 });
      try {
        await browser.visit(`${service.url}/`);
        const good = await browser.evaluate(dropped(readFileSync(image).toString('base64'), /^\d+ elements/));
        const { elements, painted, isError, caption } = good as Record<string, unknown>;
        assert.ok(Number(elements) > 0, String(elements));
        assert.equal([painted, isError, String(caption).startsWith('screen.png')], [true, false, true]);
        const bad = await browser.evaluate(
          dropped(Buffer.from('no image').toString('base64'), /decode|image/i),
        );
        assert.equal(bad, { elements: 0, description: '', caption: '', painted: false, isError: true });
      } finally {
        await browser.close();
        await service.shutDown('test_end');
      }
    }),
  { timeoutMs: 120_000 },
);

test.run();
