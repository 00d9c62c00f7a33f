import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, launchReady } from '../bench/program.ts';
import type { Json, Service } from './server-rig.ts';

const test = suite('svc-server keeps the texts of scenarios');
const folder = mkdtempSync(join(tmpdir(), 'scenario-texts-'));
const scenarios = join(folder, 'scenarios');
const FIRST = "GOAL:\r\n  SET NAME '😀 gęślą'\r\n  CHECK AI01 <= 5 V\r\n";
const SECOND = FIRST.replace('5 V', '4 V');
let server: Service;

const start = () =>
  launchReady('svc-server', ['--port', '0'], {
    SVC_CONFIG_PATH: '/dev/null',
    SVC_STATE_DIR: join(folder, 'state'),
    SVC_SCENARIO_DIR: scenarios,
    SVC_FIRMWARE_URL: 'http://127.0.0.1:1',
  });

test.before(async () => {
  mkdirSync(join(scenarios, 'masks'), { recursive: true });
  mkdirSync(join(scenarios, 'lib'));
  writeFileSync(join(scenarios, 'masks', 'leak.oql'), FIRST);
  writeFileSync(join(scenarios, 'lib', 'm.oql'), 'MACRO hold:\n  WAIT 1s\n');
  server = await start();
});
test.after(async () => {
  await end(server);
  rmSync(folder, { recursive: true, force: true });
});

const LEAK = '/api/scenarios/masks%2Fleak';

async function ask(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; etag: string | null; body: Json }> {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    body: (await response.json()) as Json,
  };
}

const save = (text: string, etag: string, by: string, path = LEAK) =>
  ask('PUT', path, { text, saved_by: by }, { 'if-match': etag });

const fileText = () => readFileSync(join(scenarios, 'masks', 'leak.oql'), 'utf8');

async function versions(): Promise<Json[]> {
  return (await ask('GET', `${LEAK}/versions`)).body.versions as Json[];
}

test('PAGE-005 a text is read byte for byte with its ETag, and saved with who and when', async () => {
  const read = await ask('GET', LEAK);
  assert.equal([read.status, read.body.text, read.body.version], [200, FIRST, null]);
  assert.is(read.etag, read.body.etag);
  const saved = await save(SECOND, read.etag!, 'Anna');
  assert.equal([saved.status, saved.body.text, fileText()], [200, SECOND, SECOND]);
  const list = await versions();
  assert.equal(
    list.map(({ n, saved_by }) => [n, saved_by]),
    [
      [2, 'Anna'],
      [1, null],
    ],
    'the text that was there before is a version too',
  );
  assert.ok(Math.abs(Date.parse(String(list[0]!.saved_at)) - Date.now()) < 60_000);
});

test('PAGE-005 of two people who change the same text the second is refused, with the text of the first', async () => {
  const { etag } = await ask('GET', LEAK);
  const both = await Promise.all([
    save(SECOND.replace('4 V', '3 V'), etag!, 'Anna'),
    save(SECOND.replace('4 V', '2 V'), etag!, 'Jan'),
  ]);
  assert.equal(both.map(({ status }) => status).sort(), [200, 412]);
  const [winner, loser] = both[0]!.status === 200 ? both : [both[1]!, both[0]!];
  const { code, current, detail } = loser.body as { code: string; current: Json; detail: string };
  assert.is(code, 'scenario_changed');
  assert.equal([current.text, current.etag], [winner.body.text, winner.etag]);
  assert.match(detail, /^(Anna|Jan) saved masks\/leak at /);
  assert.is(fileText(), winner.body.text);
  // With the ETag of the text that was merged it is saved.
  const merged = await save(FIRST, String(current.etag), 'Jan');
  assert.equal([merged.status, fileText()], [200, FIRST]);
});

test('PAGE-005 a text that is a web page is refused with 422, and the scenario stays as it was', async () => {
  const { etag, body } = await ask('GET', LEAK);
  const refused = await save('<!DOCTYPE html><title>Log in</title>', etag!, 'Anna');
  assert.equal([refused.status, refused.body.code], [422, 'invalid_parameter']);
  assert.match(JSON.stringify(refused.body.errors), 'is a web page');
  const after = await ask('GET', LEAK);
  assert.equal([after.status, after.etag, after.body.text], [200, etag, body.text]);
});

test('PAGE-005 a file changed outside the server is a conflict for the page, and remains a version', async () => {
  const { etag } = await ask('GET', LEAK);
  const outside = FIRST.replace('5 V', '1 V');
  writeFileSync(join(scenarios, 'masks', 'leak.oql'), outside);
  const refused = await save(SECOND, etag!, 'Anna');
  assert.equal([refused.status, (refused.body.current as Json).text], [412, outside]);
  const now = await ask('GET', LEAK);
  assert.is((await save(SECOND, now.etag!, 'Anna')).status, 200);
  const [latest, before] = await versions();
  assert.equal([latest!.saved_by, before!.saved_by], ['Anna', null]);
  const kept = await ask('GET', `${LEAK}/versions/${before!.n}`);
  assert.is(kept.body.text, outside);
});

test('PAGE-005 an older version is restored as a new one', async () => {
  const { etag } = await ask('GET', LEAK);
  const restored = await ask(
    'POST',
    `${LEAK}/versions/1/restore`,
    { saved_by: 'Jan' },
    { 'if-match': etag! },
  );
  assert.equal([restored.status, restored.body.text, fileText()], [200, FIRST, FIRST]);
  const [latest] = await versions();
  assert.equal([latest!.saved_by, latest!.restores], ['Jan', 1]);
  const late = await ask('POST', `${LEAK}/versions/2/restore`, { saved_by: 'Jan' }, { 'if-match': etag! });
  assert.is(late.status, 412);
});

test('PAGE-005 a text that is there already makes no version', async () => {
  const before = await versions();
  const { etag } = await ask('GET', LEAK);
  assert.is((await save(FIRST, etag!, 'Anna')).status, 200);
  assert.is((await versions()).length, before.length);
});

test('PAGE-005 a new scenario is created once, and can be run', async () => {
  const create = (id: string, text = FIRST) =>
    ask(
      'PUT',
      `/api/scenarios/${encodeURIComponent(id)}`,
      { text, saved_by: 'Anna' },
      { 'if-none-match': '*' },
    );
  assert.is((await create('new/zażółć')).status, 201);
  assert.is((await create('new/zażółć')).status, 412);
  const run = await ask('POST', `/api/scenarios/${encodeURIComponent('new/zażółć')}/run?wait=60`, {
    mode: 'dry-run',
  });
  assert.is(run.body.status, 'passed');
  for (const bad of ['../x', '.hidden', 'lib/x', 'a//b', 'a.oql', '/etc/x', 'a\0b', 'x'.repeat(300)])
    assert.equal([bad, (await create(bad)).status], [bad, 422]);
  assert.equal(readdirSync(scenarios).sort(), ['lib', 'masks', 'new']);
});

test('PAGE-005 a change without the ETag of its base is refused', async () => {
  for (const headers of [{}, { 'if-match': '*' }, { 'if-match': '"x"' }] as Record<string, string>[]) {
    const { status, body } = await ask('PUT', LEAK, { text: SECOND, saved_by: 'Anna' }, headers);
    assert.equal([status, body.code], [400, 'invalid_request']);
    assert.match(String(body.detail), 'needs If-Match');
  }
  assert.is((await ask('GET', `${LEAK}/versions/99`)).body.code, 'unknown_version');
  assert.is((await ask('GET', '/api/scenarios/none')).body.code, 'unknown_scenario');
});

test('PAGE-005 kill -9 loses no version, and a version that was changed is reported', async () => {
  const before = await versions();
  server.child.kill('SIGKILL');
  await server.ended;
  server = await start();
  assert.equal(await versions(), before);
  const state = join(folder, 'state', 'scenarios');
  const [name] = readdirSync(state).filter((one) => one.includes('leak'));
  writeFileSync(join(state, name!, '000001.oql'), 'GOAL:\n');
  const read = await ask('GET', `${LEAK}/versions/1`);
  assert.equal([read.status, read.body.code], [503, 'corrupt_response']);
  assert.match(String(read.body.detail), 'is not what was saved');
});

test('a state directory that cannot be used is named, and the scenario is unchanged', async () => {
  const { etag } = await ask('GET', LEAK);
  const state = join(folder, 'state', 'scenarios');
  renameSync(state, `${state}.away`);
  writeFileSync(state, '');
  try {
    const before = fileText();
    const refused = await save(SECOND, etag!, 'Anna');
    assert.equal([refused.status, refused.body.code, fileText()], [503, 'device_unavailable', before]);
    assert.match(String(refused.body.detail), /state\/scenarios\/.*check SVC_STATE_DIR/);
  } finally {
    rmSync(state);
    renameSync(`${state}.away`, state);
  }
});

test('a text that is not saved is dry-run with its events, and leaves no record', async () => {
  const text =
    "INCLUDE 'm.oql'\nGOAL:\n  SET NAME 'a'\n  CALL hold\n  CHECK AI01 <= 4 V\nGOAL:\n  SET NAME 'b'\n  SET valve-1 on\n";
  const all = await ask('POST', `${LEAK}/dry-run`, { text });
  assert.equal([all.status, all.body.outcome], [200, 'passed']);
  assert.match((all.body.lines as string[]).at(-1)!, '(simulated, not a test)');
  const events = all.body.events as Json[];
  assert.equal([events[0]!.type, events.at(-1)!.type], ['run.start', 'run.end']);
  const one = await ask('POST', `${LEAK}/dry-run`, { text, goal: 'a' });
  assert.not((one.body.events as Json[]).some(({ type }) => type === 'actuate'));
  const broken = await ask('POST', `${LEAK}/dry-run`, { text: 'GOAL:\n  CHEK 1\n' });
  assert.equal([broken.status, broken.body.ok], [200, false]);
  assert.is((await ask('GET', '/api/runs')).body.count, 1, 'only the run of the test before');
});

test('the language of the rig has its names and every file that can be included', async () => {
  const { body } = await ask('GET', '/api/language');
  const files = body.files as { file: string; base64: string }[];
  assert.ok(files.some(({ file }) => file === join(scenarios, 'lib', 'm.oql')));
  const leak = files.find(({ file }) => file.endsWith('leak.oql'))!;
  assert.is(Buffer.from(leak.base64, 'base64').toString(), fileText());
  assert.ok((body.registry as { sensors: { id: string }[] }).sensors.some(({ id }) => id === 'ai04'));
  assert.is(body.folder, scenarios);
});

test.run();
