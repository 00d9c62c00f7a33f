import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { codeOf, inFolder } from '../../test-kit/window/folder.ts';
import { flat, motley } from '../../test-kit/window/pictures.ts';
import { FileAccess } from './file-access.ts';
import { MAX_PIXELS } from './limits.ts';
import { encodePng, pngFile } from './png/encode.ts';
import { HEAD_BYTES, readImage, readSize } from './read-image.ts';

const test = suite('images by path');

test('a PNG, a JPEG and a WebP are known by their content, whatever their names say', () =>
  inFolder(async ({ context, file }) => {
    const picture = flat(40, 30, [200, 30, 60]);
    const image = sharp(picture.data, { raw: { width: 40, height: 30, channels: 3 } });
    writeFileSync(file('a.txt'), encodePng(picture));
    writeFileSync(file('b.png'), await image.clone().jpeg({ quality: 95 }).toBuffer());
    writeFileSync(file('c.png'), await image.clone().webp({ lossless: true }).toBuffer());
    for (const name of ['a.txt', 'b.png', 'c.png']) {
      const { pixels, path } = await readImage(context.access, name);
      assert.equal([path, pixels.width, pixels.height, pixels.data.length], [file(name), 40, 30, 3600]);
      assert.ok(Math.abs((pixels.data[0] ?? 0) - 200) <= 3, name);
    }
  }));

test('the size of an image is known by its header, and what is not an image is refused as when it is read', () =>
  inFolder(async ({ context, file }) => {
    const random = seededRandom(8);
    const noise = Uint8Array.from({ length: 400 * 300 * 3 }, () => random() * 256);
    const picture = { width: 400, height: 300, data: noise };
    const image = sharp(picture.data, { raw: { width: 400, height: 300, channels: 3 } });
    const files = {
      'a.png': encodePng(picture),
      'a.jpg': await image.clone().jpeg({ quality: 95 }).toBuffer(),
      'a.webp': await image.clone().webp({ lossless: true }).toBuffer(),
      'lossy.webp': await image.clone().webp({ quality: 100 }).toBuffer(),
      'clear.webp': await image.clone().ensureAlpha(0.5).webp({ quality: 100 }).toBuffer(),
    };
    for (const [name, bytes] of Object.entries(files)) {
      writeFileSync(file(name), bytes);
      assert.ok(bytes.length > HEAD_BYTES, `${name} has its pixels beyond the header`);
      const expected = { width: 400, height: 300, fileBytes: bytes.length };
      assert.equal(await readSize(context.access, name), expected, name);
    }
    writeFileSync(file('odd.jpg'), files['a.jpg'].subarray(0, 12));
    const { width, height } = await readSize(context.access, 'odd.jpg');
    assert.is(width * height, MAX_PIXELS, 'the worst is taken of what says nothing');
    writeFileSync(file('text.png'), 'hello');
    assert.is(await codeOf(readSize(context.access, 'text.png')), 'image_unreadable');
    assert.is(await codeOf(readSize(context.access, 'none.png')), 'image_not_found');
  }));

test('~ is the home folder and relative paths start at the working folder', () =>
  inFolder(async ({ context, path, png, file }) => {
    png('x.png', motley(4, 4));
    mkdirSync(file('sub'));
    for (const name of ['x.png', './x.png', '~/x.png', 'sub/../x.png', join(path, 'x.png')])
      assert.is((await readImage(context.access, name)).path, file('x.png'));
  }));

test('WIN-004 missing, truncated, text, zip, empty, too many pixels and too many bytes: each with its code', () =>
  inFolder(async ({ context, file }) => {
    const code = (name: string) => codeOf(readImage(context.access, name));
    assert.is(await code('none.png'), 'image_not_found');
    assert.is(await code('none/none.png'), 'image_not_found');
    assert.is(await code('\0'), 'image_not_found');
    assert.is(await code('x'.repeat(3000)), 'image_not_found');
    writeFileSync(file('cut.png'), encodePng(motley(64, 64)).subarray(0, 400));
    writeFileSync(file('text.png'), 'hello');
    writeFileSync(file('zip.png'), 'PK\x03\x04 and so on');
    writeFileSync(file('empty.png'), '');
    const huge = Buffer.from([0, 0, 0x1c, 0x20, 0, 0, 0x1b, 0xac, 8, 2, 0, 0, 0]);
    writeFileSync(
      file('huge.png'),
      pngFile([
        ['IHDR', huge],
        ['IDAT', Buffer.alloc(200_000)],
      ]),
    );
    writeFileSync(file('long.png'), encodePng(motley(2, 2)));
    truncateSync(file('long.png'), 65 * 1024 * 1024);
    for (const name of ['cut.png', 'text.png', 'zip.png', 'empty.png', 'huge.png', 'long.png'])
      assert.is(await code(name), 'image_unreadable', name);
    const jpeg = await sharp(motley(64, 64).data, { raw: { width: 64, height: 64, channels: 3 } })
      .jpeg()
      .toBuffer();
    writeFileSync(file('cut.jpg'), jpeg.subarray(0, jpeg.length / 2));
    assert.is(await code('cut.jpg'), 'image_unreadable');
    await readImage(context.access, 'huge.png').catch((error: Error) => {
      assert.match(error.message, '7200 x 7084 pixels; at most 50000000');
    });
  }));

test('WIN-020 devices, pipes and folders are refused, and nothing waits for a pipe', () =>
  inFolder(async ({ context, file, path }) => {
    execFileSync('mkfifo', [file('pipe.png')]);
    for (const name of ['/dev/zero', '/dev/null', file('pipe.png'), path])
      assert.is(await codeOf(readImage(context.access, name)), 'image_not_found', name);
    for (const name of ['/dev/null', file('pipe.png'), path])
      assert.is(await codeOf(context.access.target(name)), 'program_unwritable', name);
  }));

test('WIN-020 with roots nothing outside is read or written: by "..", by links, by links of folders, by prefixes', () =>
  inFolder(async ({ file, png }) => {
    for (const name of ['inside', 'inside/deep', 'inside-not', 'outside']) mkdirSync(file(name));
    png('outside/secret.png', motley(4, 4));
    png('inside/ok.png', motley(4, 4));
    png('inside-not/x.png', motley(4, 4));
    symlinkSync(file('outside/secret.png'), file('inside/link.png'));
    symlinkSync(file('outside'), file('inside/folder'));
    symlinkSync(file('inside/ok.png'), file('outside/in.png'));
    symlinkSync(file('outside/new.json'), file('inside/new.json'));
    const access = new FileAccess({ cwd: file('inside'), home: file('outside'), roots: [file('inside')] });
    assert.is((await readImage(access, 'ok.png')).pixels.width, 4);
    // Where a file lies counts, not where its name does.
    assert.is((await readImage(access, file('outside/in.png'))).pixels.width, 4);
    assert.is(await codeOf(readImage(access, 'none.png')), 'image_not_found');
    const refused = [
      '../outside/secret.png',
      'link.png',
      'folder/secret.png',
      '../inside-not/x.png',
      '~/secret.png',
    ];
    for (const name of [
      ...refused,
      file('outside/secret.png'),
      '../outside/none.png',
      'folder/none.png',
      '/etc/passwd',
    ])
      assert.is(await codeOf(readImage(access, name)), 'path_refused', name);
    assert.is(await access.target('deep/new.json'), file('inside/deep/new.json'));
    for (const name of [...refused, '../outside/new.json', 'folder/new.json', 'deep/../../outside/x.json'])
      assert.is(await codeOf(access.target(name)), 'path_refused', name);
    assert.is(
      await access.target('new.json'),
      file('inside/new.json'),
      'a link that leads nowhere is replaced itself',
    );
  }));

test.run();
