import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sirv from 'sirv';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../../src/test-kit/end-with-parent.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { root } from '../rig/bench/program.ts';
import { findings, overflow } from './accessibility.ts';
import { CHROMIUM, hasChromium, onBrowser, openTablet } from './browser.ts';

const test = suite('components of the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);

const build = (out: string, ...flags: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'build.mjs'), `--out=${out}`, '--quiet', ...flags]);

withChromium(
  'PAGE-006 the development build shows every component in every state, in both themes and at each width; what is shipped has no such page',
  async () => {
    const folder = temporaryFolder('components-');
    const page = join(folder, 'svc-server-page');
    await build(folder, '--development');
    const serve = sirv(page);
    const server = createServer((request, response) =>
      serve(request, response, () => {
        response.writeHead(404).end();
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await onBrowser(async (browser) => {
        for (const look of [
          { theme: 'light', width: 1280 },
          { theme: 'dark', width: 390 },
          { theme: 'light', width: 800, locale: 'pl' },
        ] as const) {
          const tablet = await openTablet(browser, port, '/components', look);
          await tablet.page.getByRole('heading', { name: 'PromptCard' }).waitFor();
          assert.equal(await findings(tablet.page), [], JSON.stringify(look));
          assert.is(await overflow(tablet.page), 0, JSON.stringify(look));
          assert.equal(tablet.faults, []);
          await tablet.context.close();
        }
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
    await build(folder);
    assert.is(existsSync(join(page, 'components.html')), false);
    assert.is(existsSync(join(page, 'index.html')), true);
  },
  { timeoutMs: 180_000 },
);

test.run();
