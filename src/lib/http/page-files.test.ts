import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { startTestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('page of a service');

test('SVC-004 the files of a page are served with its headers, to this machine only, and nothing beside them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  writeFileSync(join(folder, 'index.html'), '<h1>Page</h1>');
  writeFileSync(join(folder, 'page.js'), 'let x;');
  const page = { folder, headers: { 'content-security-policy': "default-src 'none'" } };
  const service = await startTestService([], { page });
  try {
    const index = await fetch(`${service.url}/`);
    assert.equal([index.status, await index.text()], [200, '<h1>Page</h1>']);
    assert.is(index.headers.get('content-security-policy'), "default-src 'none'");
    assert.match(String(index.headers.get('x-request-id')), /^.+$/);
    assert.match(String((await fetch(`${service.url}/page.js`)).headers.get('content-type')), 'javascript');
    for (const path of ['/none.js', '/..%2f..%2fetc%2fpasswd', '/%2e%2e/secret']) {
      const missing = await fetch(service.url + path);
      assert.is(missing.status, 404, path);
      assert.match(String(missing.headers.get('content-type')), 'problem+json');
    }
    const foreign = await fetch(`${service.url}/`, { headers: { origin: 'http://evil.example' } });
    assert.is(foreign.status, 403);
    assert.is((await fetch(`${service.url}/`, { method: 'POST' })).status, 404);
    assert.is((await fetch(`${service.url}/metrics`)).status, 200);
  } finally {
    await service.service.close(100);
    rmSync(folder, { recursive: true });
  }
});

test('a page sends its policy for the address that is asked, its files compressed, and hashed ones for a year', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<h1>Page</h1>');
  writeFileSync(join(folder, 'assets', 'main-1.js'), 'let long;');
  writeFileSync(join(folder, 'assets', 'main-1.js.gz'), gzipSync('let long;'));
  const headers = ({ headers: { host } }: IncomingMessage) => ({ 'content-security-policy': `x ${host}` });
  const service = await startTestService([], { page: { folder, headers, hashed: '/assets/' } });
  try {
    const index = await fetch(`${service.url}/`);
    assert.is(index.headers.get('content-security-policy'), `x ${new URL(service.url).host}`);
    assert.is(index.headers.get('cache-control'), 'no-cache');
    const script = await fetch(`${service.url}/assets/main-1.js`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(
      [script.headers.get('content-encoding'), script.headers.get('cache-control'), await script.text()],
      ['gzip', 'public, max-age=31536000, immutable', 'let long;'],
    );
    assert.match(String(script.headers.get('content-type')), 'javascript');
  } finally {
    await service.service.close(100);
    rmSync(folder, { recursive: true });
  }
});

test.run();
