import * as assert from 'uvu/assert';
import { exchangeBytes, startTestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { exposureFrom } from './exposure.ts';
import type { HttpServiceOptions } from './http-service.ts';
import { route } from './route.ts';

const test = suite('requests that a page of another site makes');

const read = route({ method: 'GET', path: '/read', summary: 'reads', handler: () => ({ ok: true }) });
const move = route({ method: 'POST', path: '/move', summary: 'moves', handler: () => ({ ok: true }) });
const scan = route({
  method: 'GET',
  path: '/scan',
  summary: 'takes long',
  sameSite: true,
  handler: () => ({ ok: true }),
});

/** Status and code of a request with this first line and these headers. */
async function asked(
  line: string,
  headers: readonly string[],
  options: Partial<HttpServiceOptions> = {},
): Promise<string> {
  const { service, url } = await startTestService([read, move, scan], options);
  const { host } = new URL(url);
  try {
    const head = [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
    const answer = await exchangeBytes(url, `${head.join('\r\n')}\r\n\r\n`.replaceAll('THIS', host));
    const code = /"code":"(\w+)"/.exec(answer)?.[1];
    return [answer.slice(9, 12), code].filter(Boolean).join(' ');
  } finally {
    service.destroy();
  }
}

test('SVC-064 two Host headers and an absolute target are refused, whatever they say', async () => {
  assert.is(await asked('GET /read', []), '200');
  assert.is(await asked('GET /read', ['Host: THIS']), '400 invalid_request');
  assert.is(await asked('GET /read', ['hOST: elsewhere.test']), '400 invalid_request');
  assert.is(await asked('GET http://THIS/read', []), '400 invalid_request');
  assert.is(await asked('GET https://elsewhere.test/read', []), '400 invalid_request');
});

test('SVC-064 a request of another site is refused unless it is a navigation', async () => {
  const cross = (mode: string) => ['Sec-Fetch-Site: cross-site', `Sec-Fetch-Mode: ${mode}`];
  assert.is(await asked('GET /read', cross('no-cors')), '403 origin_refused');
  assert.is(await asked('GET /read', cross('cors')), '403 origin_refused');
  assert.is(await asked('GET /read', cross('navigate')), '200');
  assert.is(await asked('POST /move', cross('navigate')), '403 origin_refused');
  for (const site of ['same-origin', 'same-site', 'none'])
    assert.is(await asked('GET /read', [`Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: cors']), '200', site);
  const exposure = exposureFrom({ SVC_ALLOWED_ORIGINS: 'http://page.test' }, '127.0.0.1');
  const allowed = [...cross('cors'), 'Origin: http://page.test'];
  assert.is(await asked('GET /read', allowed, { exposure }), '200');
});

test('SVC-064 long work at a device is not started by a link of another site either', async () => {
  const navigation = (site: string) => [`Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: navigate'];
  assert.is(await asked('GET /scan', navigation('cross-site')), '403 origin_refused');
  assert.is(await asked('GET /scan', ['Referer: http://elsewhere.test/page']), '403 origin_refused');
  assert.is(await asked('GET /scan', navigation('none')), '200');
  assert.is(await asked('GET /scan', ['Referer: http://THIS/page', ...navigation('same-origin')]), '200');
  assert.is(await asked('GET /scan', []), '200', 'a program, not a browser');
});

test.run();
