import { readFileSync, writeFileSync } from 'node:fs';
import { detect } from '../detect/detect.ts';
import { decodePng } from '../image/png/decode.ts';
import { encodePng } from '../image/png/encode.ts';
import { labelledScreens, matched } from './benchmark/labelled.ts';
import { textCrop } from './crop.ts';
import { TextReader } from './text-reader.ts';
const tr = new TextReader();
(globalThis as any).rd = async (p: any, b: any) => (await tr.read(p, [b], 'en'))?.texts;
process.on('exit', () => {});
const want: [string, string][] = JSON.parse(process.argv[2] ?? '[]');
const out = { width: 900, height: 1400, data: new Uint8Array(900 * 1400 * 3).fill(200) };
let y = 4;
for (const s of labelledScreens('/work/shared/window-set/screens')) {
  const w = want.filter(([id]) => id === s.id);
  if (!w.length) continue;
  const px = await decodePng(readFileSync(s.image));
  const boxes = detect(px).map(({ box }) => box);
  for (const [b, item] of matched(boxes, s.items)) {
    if (!w.some(([, t]) => t === item.text)) continue;
    const box = boxes[b];
    if (!box) continue;
    const crop = textCrop(px, box);
    const rr = await (globalThis as any).rd?.(px, box);
    console.log(rr);
    console.log(
      s.id,
      item.text,
      JSON.stringify(box),
      JSON.stringify(item.boxes[0]),
      JSON.stringify(item.boxes[1]),
      crop && [crop.lines, crop.scale, crop.width, crop.height, JSON.stringify(crop.gaps)],
    );
    const raw = {
      x0: Math.max(0, box.x0 - 10),
      y0: Math.max(0, box.y0 - 10),
      x1: Math.min(px.width, box.x1 + 10),
      y1: Math.min(px.height, box.y1 + 10),
    };
    let h = 0;
    for (let yy = raw.y0; yy < raw.y1; yy++)
      for (let xx = raw.x0; xx < raw.x1 && xx - raw.x0 < 195; xx++)
        for (let k = 0; k < 4; k++)
          for (let c = 0; c < 3; c++) {
            const X = (xx - raw.x0) * 2 + (k & 1),
              Y = y + (yy - raw.y0) * 2 + (k >> 1);
            if (Y < 1400) out.data[(Y * 900 + X) * 3 + c] = px.data[(yy * px.width + xx) * 3 + c] as number;
          }
    h = (raw.y1 - raw.y0) * 2;
    if (crop) {
      const p = crop.picture;
      for (let yy = 0; yy < p.height; yy++)
        for (let xx = 0; xx < p.width && xx < 495; xx++)
          for (let c = 0; c < 3; c++) {
            const Y = y + yy;
            if (Y < 1400)
              out.data[(Y * 900 + 400 + xx) * 3 + c] = p.data[(yy * p.width + xx) * 3 + c] as number;
          }
      h = Math.max(h, p.height);
    }
    y += h + 6;
  }
}
writeFileSync('/tmp/ocr/debug.png', encodePng(out));
void tr.close();
