import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { flat } from '../../test-kit/window/pictures.ts';
import { readBarcodes } from './read-barcodes.ts';

const test = suite('barcodes');

test('codes are read offline, with their places, from top to bottom', async () => {
  const { writeBarcode, prepareZXingModule } = await import('zxing-wasm/writer');
  const { readFileSync } = await import('node:fs');
  const { createRequire } = await import('node:module');
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
  const code = async (text: string, format: 'QRCode' | 'EAN13') => {
    const { svg } = await writeBarcode(text, { format, scale: 4 });
    return sharp(Buffer.from(svg))
      .resize({ width: 200, height: 140, fit: 'contain', background: '#ffffff' })
      .png()
      .toBuffer();
  };
  const data = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#ffffff' } })
    .composite([
      { input: await code('RIG-0042', 'QRCode'), left: 380, top: 40 },
      { input: await code('5901234123457', 'EAN13'), left: 40, top: 280 },
    ])
    .removeAlpha()
    .raw()
    .toBuffer();
  const [first, second, ...more] = (await readBarcodes({ width: 640, height: 480, data })) ?? [];
  assert.equal([first?.text, second?.text, more], ['RIG-0042', '5901234123457', []]);
  assert.match(String(first?.format), /QR/i);
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = first?.bbox ?? [];
  assert.ok(x0 >= 380 && x1 <= 580 && y0 >= 40 && y1 <= 180, String(first?.bbox));
});

test('a picture without codes has none, and one that is too large is not searched', async () => {
  assert.equal(await readBarcodes(flat(200, 200, [255, 255, 255])), []);
  assert.is(await readBarcodes({ width: 5000, height: 5000, data: new Uint8Array(0) }), undefined);
});

test.run();
