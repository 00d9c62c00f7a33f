import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { drawn } from '../../../src/lab/compare-benchmark/judge.ts';
import { makeScreen } from '../../../src/lab/compare-benchmark/screen.ts';
import { seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { inFolder } from '../../../src/test-kit/window/folder.ts';
import { flat, paint } from '../../../src/test-kit/window/pictures.ts';
import { end, launchReady } from '../bench/program.ts';

const test = suite('svc-window, memory');
const SLOW = { timeoutMs: 300_000 };

/** Six at once take 650 MB when they are not limited, and 220 MB when the service does. */
const MOST_MB = 450;

test(
  'WIN-022 six images at once that unpack to 24 megapixels each: the memory stays bounded',
  () =>
    inFolder(async ({ png, file }) => {
      const image = png('a.png', paint(flat(6000, 4000, [240, 240, 240]), 100, 100, 900, 300, [20, 60, 90]));
      const env = { SVC_STATE_DIR: file('state'), SVC_CONFIG_PATH: '/dev/null' };
      const service = await launchReady('svc-window', ['serve', '--port', '0'], env);
      try {
        const analyze = async (program: string) => {
          const response = await fetch(`${service.url}/v1/window/analyze`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ image, file: file(program) }),
          });
          return response.status;
        };
        // On a slow machine the last ones may come too late, or are refused because they would, and say so.
        for (const status of await Promise.all([1, 2, 3, 4, 5, 6].map((one) => analyze(`${one}.json`))))
          assert.ok([200, 503, 504].includes(status), `status ${status}`);
        const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
        const peakMb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
        assert.ok(peakMb < MOST_MB, `${peakMb.toFixed(0)} MB`);
      } finally {
        assert.is((await end(service)).code, 0);
      }
    }),
  SLOW,
);

test(
  'text is read with the recognizers of one language at a time',
  () =>
    inFolder(async ({ png, file }) => {
      const image = png('a.png', await drawn({ ...makeScreen(seededRandom(3)), width: 640, height: 400 }));
      const env = { SVC_STATE_DIR: file('state'), SVC_CONFIG_PATH: '/dev/null' };
      const service = await launchReady('svc-window', ['serve', '--port', '0'], env);
      try {
        const detect = async (locale: string) => {
          const response = await fetch(`${service.url}/v1/window/detect`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ image, locale }),
          });
          const { elements } = (await response.json()) as { elements: { text: string | null }[] };
          assert.ok(
            elements.some(({ text }) => text !== null),
            `no text was read in ${locale}`,
          );
          return readdirSync(`/proc/${service.pid}/task`).length;
        };
        const english = await detect('en');
        const polish = await detect('pl');
        assert.ok(polish <= english, `${english} threads of the process became ${polish}`);
      } finally {
        assert.is((await end(service)).code, 0);
      }
    }),
  SLOW,
);

test.run();
