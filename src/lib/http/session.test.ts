import * as assert from 'uvu/assert';
import { startTestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { exposureFrom } from './exposure.ts';
import { route } from './route.ts';
import { sessionCookie } from './session.ts';

const test = suite('session of a page');
const TOKEN = 'a-token-of-the-rig-for-tests';
const read = route({ method: 'GET', path: '/read', summary: 'reads', handler: () => ({ ok: true }) });

async function statusOf(cookie: string, acceptsSession: boolean): Promise<number> {
  const exposure = { ...exposureFrom({ SVC_API_TOKEN: TOKEN }, '127.0.0.1'), acceptsSession };
  const { service, url } = await startTestService([read], { exposure });
  try {
    return (await fetch(`${url}/read`, { headers: { cookie } })).status;
  } finally {
    service.destroy();
  }
}

const pair = (set: string): string => set.split(';')[0] ?? '';

test('SVC-003 the cookie of the token counts as the token where a page is served, and nowhere else', async () => {
  assert.is(await statusOf(`other=1; ${pair(sessionCookie(TOKEN))}`, true), 200);
  assert.is(await statusOf(pair(sessionCookie(TOKEN)), false), 401);
});

test('SVC-003 a cookie of another token, the token itself and no cookie are refused', async () => {
  for (const cookie of [pair(sessionCookie(`${TOKEN}x`)), `svc_session=${TOKEN}`, 'svc_session=', 'a=b'])
    assert.is(await statusOf(cookie, true), 401, cookie);
});

test('no script reads the cookie, no other site sends it, and it does not hold the token', () => {
  const cookie = sessionCookie(TOKEN);
  assert.match(cookie, /; HttpOnly/);
  assert.match(cookie, /; SameSite=Strict/);
  assert.not.match(cookie, TOKEN);
});

test('a listed origin may send the cookie and read the answer; a wildcard is never sent', async () => {
  const origin = 'http://page.test';
  const exposure = { ...exposureFrom({ SVC_ALLOWED_ORIGINS: origin }, '127.0.0.1'), acceptsSession: true };
  const { service, url } = await startTestService([read], { exposure });
  try {
    const { headers } = await fetch(`${url}/read`, { headers: { origin } });
    assert.equal(
      [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')],
      [origin, 'true'],
    );
  } finally {
    service.destroy();
  }
});

test.run();
