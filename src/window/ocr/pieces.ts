import type { Box } from '../detect/element.ts';
import type { Contrast } from './contrast.ts';

/** Ink from here on belongs to a stroke, of 255. */
export const STROKE = 90;
/** Borders may be fainter than letters, of 255. */
export const FAINT = 50;

export interface Piece extends Box {
  places: number[];
}

/** Ink that hangs together, also over corners. @param least of 255 */
export function piecesOf({ width, height, data }: Contrast, least = STROKE): Piece[] {
  const seen = new Uint8Array(data.length);
  const found: Piece[] = [];
  for (let start = 0; start < data.length; start++) {
    if (seen[start] || (data[start] as number) < least) continue;
    const piece: Piece = { x0: width, y0: height, x1: 0, y1: 0, places: [start] };
    seen[start] = 1;
    for (let i = 0; i < piece.places.length; i++) {
      const place = piece.places[i] as number;
      const [x, y] = [place % width, Math.floor(place / width)];
      piece.x0 = Math.min(piece.x0, x);
      piece.y0 = Math.min(piece.y0, y);
      piece.x1 = Math.max(piece.x1, x + 1);
      piece.y1 = Math.max(piece.y1, y + 1);
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx;
          if (seen[next] || (data[next] as number) < least) continue;
          seen[next] = 1;
          piece.places.push(next);
        }
    }
    found.push(piece);
  }
  return found;
}
