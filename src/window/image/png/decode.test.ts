import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { motley } from '../../../test-kit/window/pictures.ts';
import { decodePng } from './decode.ts';
import { encodePng, pngFile } from './encode.ts';
import { PngFault } from './png-fault.ts';

const test = suite('PNG');

const fault = async (file: Buffer): Promise<string> => {
  try {
    await decodePng(file);
    return 'none';
  } catch (thrown) {
    if (thrown instanceof PngFault) return thrown.message;
    throw thrown;
  }
};

const picture = motley(37, 23);
const source = () =>
  sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } });

test('what is encoded is decoded to the same pixels', async () => {
  for (const [width, height] of [
    [1, 1],
    [2, 3],
    [37, 23],
    [300, 2],
  ] as const) {
    const pixels = motley(width, height);
    assert.equal(await decodePng(encodePng(pixels)), pixels);
  }
});

const kinds: [name: string, encode: () => ReturnType<typeof source>][] = [
  ['RGB', () => source().png()],
  ['RGB, all filters', () => source().png({ adaptiveFiltering: true })],
  ['RGB, interlaced', () => source().png({ progressive: true })],
  ['RGBA', () => source().ensureAlpha(0.4).png()],
  ['RGBA, interlaced', () => source().ensureAlpha(0.4).png({ progressive: true })],
  ['palette of 256', () => source().png({ palette: true, colours: 256, dither: 0 })],
  ['palette of 16', () => source().png({ palette: true, colours: 16, dither: 0 })],
  ['palette of 4', () => source().png({ palette: true, colours: 4, dither: 0 })],
  [
    'palette of 2, interlaced',
    () => source().png({ palette: true, colours: 2, dither: 0, progressive: true }),
  ],
  ['grey', () => source().toColourspace('b-w').png()],
  ['grey with alpha', () => source().toColourspace('b-w').ensureAlpha(0.7).png()],
  ['RGB, 16 bits', () => source().toColourspace('rgb16').png()],
  ['grey, 16 bits', () => source().toColourspace('grey16').png()],
];
for (const [name, encode] of kinds)
  test(`another decoder agrees on ${name}`, async () => {
    const file = await encode().toBuffer();
    const { data, info } = await sharp(file)
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const decoded = await decodePng(file);
    assert.equal([decoded.width, decoded.height], [info.width, info.height]);
    const spread = info.channels === 3 ? data : Buffer.from([...data].flatMap((grey) => [grey, grey, grey]));
    const largest = spread.reduce(
      (most, value, at) => Math.max(most, Math.abs(value - (decoded.data[at] ?? 999))),
      0,
    );
    assert.ok(largest <= 1, `${name}: a channel differs by ${largest}`);
  });

test('WIN-004 WIN-022 a file that is cut off anywhere is refused, and never read as something else', async () => {
  const file = encodePng(picture);
  for (let length = 8; length < file.length; length += 7)
    assert.is.not(await fault(file.subarray(0, length)), 'none');
});

test('WIN-022 a broken checksum, broken data, an unknown filter and a missing palette are refused', async () => {
  const flipped = Buffer.from(encodePng(picture));
  flipped[60] = (flipped[60] ?? 0) ^ 1;
  assert.match(await fault(flipped), 'broken chunk');
  const header = (colour: number, depth = 8) => Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, depth, colour, 0, 0, 0]);
  const data = Buffer.from('789c636060f8cfc0c0c0c000000a1e0201', 'hex');
  assert.match(
    await fault(
      pngFile([
        ['IHDR', header(2)],
        ['IDAT', data.subarray(0, 8)],
      ]),
    ),
    /broken data|cut off/,
  );
  assert.match(
    await fault(
      pngFile([
        ['IHDR', header(3)],
        ['IDAT', data],
      ]),
    ),
    'no palette',
  );
  assert.match(
    await fault(
      pngFile([
        ['IHDR', header(2, 3)],
        ['IDAT', data],
      ]),
    ),
    'colour type 2 with 3 bits',
  );
  assert.match(await fault(pngFile([['IHDR', header(2)]])), 'no pixels');
  assert.match(
    await fault(
      pngFile([
        ['IHDR', header(2)],
        ['XXXX', data],
      ]),
    ),
    'unknown chunk',
  );
});

test('WIN-022 an image that promises more pixels than its data can hold is refused before memory is taken', async () => {
  const header = Buffer.from([0, 0, 0x1b, 0x58, 0, 0, 0x1b, 0x58, 8, 2, 0, 0, 0]);
  const before = process.memoryUsage().arrayBuffers;
  assert.match(
    await fault(
      pngFile([
        ['IHDR', header],
        ['IDAT', Buffer.alloc(1000)],
      ]),
    ),
    'cut off',
  );
  assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000);
});

test.run();
