import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import * as assert from 'uvu/assert';
import { drawn } from '../../lab/compare-benchmark/judge.ts';
import { makeScreen } from '../../lab/compare-benchmark/screen.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { runGeneratedClient, validDescription } from '../../test-kit/http/openapi.ts';
import { type Document, startWindow, type TestWindow } from '../../test-kit/services/window.ts';
import { suite } from '../../test-kit/suite.ts';
import { inFolder, type TestFolder } from '../../test-kit/window/folder.ts';
import { flat, motley, paint } from '../../test-kit/window/pictures.ts';
import { encodePng, pngFile } from '../../window/image/png/encode.ts';
import { OPERATIONS, REQUIRED } from '../../window/operations/request.ts';
import { parseCommandLine } from './command-line.ts';
import { runCommand } from './run-command.ts';
import { windowService } from './window-service.ts';

const test = suite('svc-window');
const SLOW = { timeoutMs: 180_000 };

const withService = (
  work: (service: TestWindow, folder: TestFolder) => Promise<void>,
  env: Record<string, string> = {},
) =>
  inFolder(async (folder) => {
    const service = await startWindow({ SVC_STATE_DIR: folder.file('state'), HOME: folder.path, ...env });
    try {
      await work(service, folder);
    } finally {
      await service.shutDown('test_end');
    }
  });

const refusal = async (env: Record<string, string>, host?: string): Promise<string> => {
  try {
    await (await startWindow(env, host)).shutDown('test_end');
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('WIN-002 the default is 127.0.0.1:8216; a wide bind needs a token, and folders that may be read', () =>
  inFolder(async ({ path, file }) => {
    const { defaultPort, prefix } = windowService(new URL('file:///x.cjs'));
    assert.equal([defaultPort, prefix], [8216, 'SVC_WINDOW']);
    const env = { SVC_STATE_DIR: file('state') };
    const token = { ...env, SVC_API_TOKEN: 'a-token-of-20-letters' };
    assert.match(await refusal(env, '0.0.0.0'), 'SVC_API_TOKEN');
    assert.match(await refusal(token, '0.0.0.0'), 'SVC_WINDOW_ROOTS');
    assert.is(await refusal({ ...token, SVC_WINDOW_ROOTS: path }, '0.0.0.0'), '');
    assert.match(await refusal({ ...env, SVC_WINDOW_ROOTS: 'images' }), 'not an absolute path');
    assert.match(await refusal({ ...env, SVC_WINDOW_ROOTS: file('none') }), 'none');
    assert.match(await refusal({ ...env, SVC_LLM_MODEL: 'eye' }), 'SVC_LLM_BASE_URL');
  }));

test('WIN-003 each missing required field is 400 with its name, also when it is null', () =>
  withService(async ({ post }) => {
    for (const operation of OPERATIONS)
      for (const missing of REQUIRED[operation]) {
        const body: Document = { image: '/none.png', file: '/none.json', [missing]: null };
        const { status, body: problem } = await post(`/v1/window/${operation}`, body);
        const seen = [status, problem.code, problem.field, problem.ok];
        assert.equal(seen, [400, 'missing_field', missing, false], `${operation} without ${missing}`);
        delete body[missing];
        assert.is((await post(`/v1/window/${operation}`, body)).body.field, missing);
      }
  }));

test('WIN-003 each bad type and range is 422 with errors[]; null is absent and unknown keys are ignored', () =>
  withService(async ({ post }) => {
    const bad: Document = {
      image: 5,
      file: ['x'],
      locale: {},
      grid: 1,
      translate_mode: 'google',
      save: 'yes',
      with_grid: 1,
      live: 'true',
      ocr: 'no',
      interactive: 'now',
    };
    for (const operation of OPERATIONS) {
      const { status, body } = await post(`/v1/window/${operation}`, bad);
      const fields = (body.errors as { field: string }[]).map(({ field }) => field);
      assert.equal([status, body.ok, fields], [422, false, Object.keys(bad)], operation);
    }
    for (const grid of [257, 2.5, '12', Number.MAX_VALUE])
      assert.is((await post('/v1/window/analyze', { image: '/x', grid })).status, 422, String(grid));
    const nothing = Object.fromEntries(Object.keys(bad).map((key) => [key, null]));
    const { body } = await post('/v1/window/detect', { ...nothing, image: '/none.png', unknown: 1 });
    assert.is(body.code, 'image_not_found');
    for (const list of [[], 'text', 7]) assert.is((await post('/v1/window/detect', list)).status, 422);
  }));

test(
  'WIN-004 files that are not images, and blank ones: 400 with their codes and ok:false',
  () =>
    withService(async ({ post }, { file, png }) => {
      const huge = Buffer.from([0, 0, 0x1c, 0x20, 0, 0, 0x1b, 0xac, 8, 2, 0, 0, 0]);
      png('black.png', flat(40, 40, [0, 0, 0]));
      png('white.png', flat(40, 40, [255, 255, 255]));
      png('red.png', flat(40, 40, [255, 0, 0]));
      writeFileSync(file('cut.png'), encodePng(motley(64, 64)).subarray(0, 300));
      writeFileSync(file('text.png'), 'hello');
      writeFileSync(file('zip.png'), 'PK\x03\x04');
      writeFileSync(
        file('51mp.png'),
        pngFile([
          ['IHDR', huge],
          ['IDAT', Buffer.alloc(200_000)],
        ]),
      );
      png('65mib.png', motley(3, 3));
      truncateSync(file('65mib.png'), 65 * 1024 * 1024);
      for (const [name, code] of [
        ['none.png', 'image_not_found'],
        ['black.png', 'blank_image'],
        ['white.png', 'blank_image'],
        ['red.png', 'blank_image'],
        ['cut.png', 'image_unreadable'],
        ['text.png', 'image_unreadable'],
        ['zip.png', 'image_unreadable'],
        ['51mp.png', 'image_unreadable'],
        ['65mib.png', 'image_unreadable'],
      ]) {
        const { status, body, headers } = await post('/v1/window/analyze', {
          image: file(String(name)),
          file: file('p.json'),
        });
        assert.equal([status, body.code, body.ok, body.status], [400, code, false, 400], name);
        assert.is(headers.get('content-type'), 'application/problem+json');
      }
      assert.match(
        String((await post('/v1/window/detect', { image: '/none.png' })).body.error),
        /^file not found/,
      );
    }),
  SLOW,
);

/** Times are the only thing that differs between two calls. */
const timeless = (text: string) => text.trim().replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

test(
  'WIN-001 the seven operations give the same document by HTTP and by the command, byte for byte but for the times',
  () =>
    withService(async ({ post }, { file, png }) => {
      png('a.png', await drawn(makeScreen(seededRandom(3))));
      png('b.png', paint(await drawn(makeScreen(seededRandom(3))), 100, 100, 30, 20, [0, 0, 0]));
      const start = async () => {
        await post('/v1/window/analyze', { image: file('a.png'), file: file('p.json') });
        return readFileSync(file('p.json'));
      };
      const program = await start();
      const env = { SVC_STATE_DIR: file('state'), HOME: file('') };
      for (const [operation, ...flags] of [
        ['detect', '--image', file('a.png'), '--locale', 'en'],
        ['compare', '--image', file('b.png'), '--file', file('p.json')],
        ['refresh', '--image', file('b.png'), '--file', file('p.json')],
        [
          'diagnose',
          '--image',
          file('b.png'),
          '--file',
          file('p.json'),
          '--save',
          '--translate-mode',
          'catalog',
        ],
        ['analyze', '--image', file('b.png'), '--file', file('p.json'), '--grid', '9', '--with-grid'],
        ['adopt', '--image', file('a.png'), '--file', file('p.json')],
        ['summary', '--file', file('p.json'), '--live'],
        ['summary', '--file', file('none.json')],
        ['detect', '--image', file('none.png')],
        ['compare', '--image', file('a.png')],
        ['analyze', '--image', file('a.png'), '--grid', '1'],
      ]) {
        const order = parseCommandLine([String(operation), ...flags.map(String)]);
        if (order?.kind !== 'operation') throw new TypeError('no operation');
        writeFileSync(file('p.json'), program);
        const byHttp = await post(`/v1/window/${operation}`, order.body);
        const writtenByHttp = readFileSync(file('p.json'), 'utf8');
        writeFileSync(file('p.json'), program);
        const { document, exitCode } = await runCommand(order, env);
        const title = `${operation} ${flags}`;
        assert.is(timeless(JSON.stringify(document)), timeless(byHttp.text), title);
        assert.is(timeless(readFileSync(file('p.json'), 'utf8')), timeless(writtenByHttp), title);
        const expected =
          byHttp.status === 200 ? 0 : byHttp.body.code === 'missing_field' || byHttp.status === 422 ? 2 : 1;
        assert.is(exitCode, expected, title);
      }
    }),
  SLOW,
);

test(
  'WIN-021 health is answered while images are looked at; when threads and queue are full it is 503 with Retry-After',
  () =>
    withService(async ({ post, get }, { file, png }) => {
      png('a.png', motley(1500, 1200));
      const many = Array.from({ length: 40 }, (_, index) =>
        post('/v1/window/analyze', { image: file('a.png'), file: file(`${index}.json`) }),
      );
      let busy = 0;
      while (busy < 5) {
        const { status, body } = await get('/health');
        assert.is(status, 200);
        if ((body.threads as { busy: number }).busy > 0) busy++;
      }
      const answers = await Promise.all(many);
      const refused = answers.filter(({ status }) => status === 503);
      // How many the queue takes is tested with a clock that is stepped; here the load of the machine decides as well.
      assert.ok(refused.length >= 1 && refused.length < 40, `${refused.length} of 40 refused`);
      for (const { body, headers } of refused)
        assert.equal([body.code, Number(headers.get('retry-after')) > 0], ['busy', true]);
      assert.is(answers.filter(({ status }) => status === 200).length, 40 - refused.length);
    }),
  SLOW,
);

test(
  'WIN-032 of 100 requests at once those that are accepted are finished, and the others are 503 with Retry-After',
  () =>
    withService(async ({ post }, { file, png }) => {
      png('a.png', await drawn({ ...makeScreen(seededRandom(4)), width: 320, height: 200 }));
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => post('/v1/window/detect', { image: file('a.png') })),
      );
      const done = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 503);
      assert.is(done.length + refused.length, 100, 'no other status');
      assert.ok(done.length >= 1 && done.length <= 8, `${done.length} accepted before anything was timed`);
      for (const { body, headers } of refused)
        assert.equal([body.code, Number(headers.get('retry-after')) > 0], ['busy', true]);
      assert.is(new Set(done.map(({ text }) => text)).size, 1);
    }),
  SLOW,
);

test(
  'WIN-030 ocr: false leaves the texts out, as an option, in the address and in the body, and finds the same elements',
  () =>
    withService(async ({ post }, { file, png }) => {
      png('a.png', await drawn({ ...makeScreen(seededRandom(4)), width: 320, height: 200 }));
      const image = file('a.png');
      const order = parseCommandLine(['detect', '--image', image, '--no-ocr']);
      if (order?.kind !== 'operation') throw new TypeError('no operation');
      const inBody = await post('/v1/window/detect', { image, ocr: false });
      assert.equal(inBody.body.skipped, [{ part: 'ocr', reason: 'the request has left it out' }]);
      assert.is((await post('/v1/window/detect?ocr=false', { image })).text, inBody.text);
      const { document } = await runCommand(order, { SVC_STATE_DIR: file('state'), HOME: file('') });
      assert.is(JSON.stringify(document), inBody.text.trim());
      const withTexts = await post('/v1/window/detect?ocr=true', { image });
      const boxes = ({ body }: typeof inBody) =>
        (body.elements as { bbox: number[]; text: string | null }[]).map(({ bbox }) => bbox);
      const texts = ({ body }: typeof inBody) =>
        (body.elements as { text: string | null }[]).filter(({ text }) => text !== null);
      assert.equal(boxes(withTexts), boxes(inBody));
      assert.ok(texts(withTexts).length > 0 && texts(inBody).length === 0);
      assert.is((await post('/v1/window/detect?ocr=perhaps', { image })).status, 422);
    }),
  SLOW,
);

test(
  'WIN-034 analyze without a file writes nothing and answers with the program itself',
  () =>
    withService(async ({ post }, { path, png }) => {
      const image = png('a.png', motley(90, 60));
      const before = readdirSync(path);
      const { status, body } = await post('/v1/window/analyze', { image });
      assert.equal([status, body.program, (body.document as Document).version], [200, null, '1.0']);
      assert.equal(readdirSync(path), before);
      assert.is(existsSync('app.vql.json'), false);
    }),
  SLOW,
);

test(
  'WIN-020 outside of SVC_WINDOW_ROOTS nothing is read or written: 403, and it is not told what is there',
  () =>
    inFolder(async ({ file, png }) => {
      mkdirSync(file('in'));
      png('out.png', motley(20, 20));
      png('in/a.png', motley(20, 20));
      const service = await startWindow({ SVC_STATE_DIR: file('state'), SVC_WINDOW_ROOTS: file('in') });
      try {
        const status = async (image: string, program: string) =>
          (await service.post('/v1/window/analyze', { image, file: program })).status;
        assert.is(await status(file('in/a.png'), file('in/p.json')), 200);
        assert.is(await status(file('out.png'), file('in/p.json')), 403);
        assert.is(await status(file('in/../out.png'), file('in/p.json')), 403);
        assert.is(await status(file('in/a.png'), file('p.json')), 403);
        // One after the other: a crowded machine answers the second of two at once with 503.
        for (const image of ['/etc/passwd', '/etc/none'])
          assert.is((await service.post('/v1/window/detect', { image })).body.code, 'path_refused', image);
      } finally {
        await service.shutDown('test_end');
      }
    }),
  SLOW,
);

test('WIN-024 the schema is served, and accepts what analyze writes', () =>
  withService(async ({ get, post }, { file, png }) => {
    png('a.png', motley(90, 60));
    const { status, body } = await get('/v1/window/schema');
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(body);
    assert.is(status, 200);
    await post('/v1/window/analyze', { image: file('a.png'), file: file('p.json'), with_grid: true });
    assert.ok(validate(JSON.parse(readFileSync(file('p.json'), 'utf8'))), JSON.stringify(validate.errors));
    assert.is(validate({ version: '1.0' }), false);
  }));

const CLIENT = `
import type { paths } from './api.ts';
type Operation = paths['/v1/window/detect']['post'];
type Body = NonNullable<Operation['requestBody']>['content']['application/json'];
type Answer = Operation['responses'][200]['content']['application/json'];
export async function detect(body: Body): Promise<Answer> {
  const response = await fetch('URL/v1/window/detect', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}
const found = await detect({ image: 'IMAGE', locale: 'en' });
const roles: string[] = found.elements.map(({ role, bbox }) => role + bbox.length);
console.log(found.element_count === roles.length, found.width);
`;

test(
  'WIN-026 the OpenAPI document describes all operations, and a client made from it calls detect',
  () =>
    withService(async ({ url }, { file, png }) => {
      png('a.png', await drawn({ ...makeScreen(seededRandom(4)), width: 640, height: 400 }));
      const { paths } = (await validDescription(url)) as { paths: Record<string, object> };
      for (const operation of OPERATIONS) assert.ok(paths[`/v1/window/${operation}`], operation);
      const program = CLIENT.replace('URL', url).replace('IMAGE', file('a.png'));
      // The kit's own client is for GET; this one is written against the same types.
      assert.is((await runGeneratedClient(url, `void get;\n${program}`)).trim(), 'true 640');
    }),
  SLOW,
);

test(
  'the page comes with a policy that lets nothing in from elsewhere, and an image can be sent to it in parts',
  () =>
    withService(async ({ get, post }, { png }) => {
      for (const [path, type] of [
        ['/', 'text/html'],
        ['/window.css', 'text/css'],
        ['/window.js', 'text/javascript'],
      ] as const) {
        const { status, headers, text } = await get(path);
        assert.equal([status, headers.get('content-type')?.split(';')[0]], [200, type]);
        assert.match(String(headers.get('content-security-policy')), "default-src 'none'");
        assert.not.match(text, /https?:\/\//);
      }
      const bytes = readFileSync(png('a.png', motley(120, 80)));
      const { body: place } = await post('/v1/window/uploads', {});
      const part = (offset: number, data: Buffer) =>
        post(`/v1/window/uploads/${place.id}`, { offset, data: data.toString('base64') });
      const middle = bytes.length >> 1;
      assert.is((await part(0, bytes.subarray(0, middle))).status, 200);
      assert.is((await part(0, bytes.subarray(0, middle))).status, 422, 'a part twice');
      assert.is((await part(middle, bytes.subarray(middle))).body.size, bytes.length);
      const analyzed = await post('/v1/window/analyze', { image: place.path, file: place.program });
      assert.equal([analyzed.status, (analyzed.body.scene as Document).width], [200, 120]);
      assert.is(
        (await post('/v1/window/uploads/00000000-0000-0000-0000-000000000000', { offset: 0, data: '' }))
          .status,
        404,
      );
      assert.is((await post('/v1/window/uploads/..%2fx', { offset: 0, data: '' })).status, 422);
      for (let more = 0; more < 20; more++) await post('/v1/window/uploads', {});
      assert.is((await part(bytes.length, bytes)).status, 404, 'the oldest one is gone');
    }),
  SLOW,
);

test.run();
