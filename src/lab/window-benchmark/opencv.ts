import type { Box } from '../../window/detect/element.ts';
import type { Pixels } from '../../window/image/pixels.ts';

/** As much of OpenCV as the comparison needs. */
interface OpenCv {
  Mat: new () => Mat;
  MatVector: new () => Mat & { size(): number; get(i: number): Mat };
  matFromArray(rows: number, columns: number, type: number, data: Uint8Array): Mat;
  cvtColor(from: Mat, to: Mat, code: number): void;
  Canny(from: Mat, to: Mat, low: number, high: number): void;
  dilate(from: Mat, to: Mat, kernel: Mat): void;
  getStructuringElement(shape: number, size: { width: number; height: number }): Mat;
  findContours(from: Mat, to: Mat, hierarchy: Mat, mode: number, method: number): void;
  boundingRect(contour: Mat): { x: number; y: number; width: number; height: number };
  CV_8UC3: number;
  COLOR_RGB2GRAY: number;
  MORPH_RECT: number;
  RETR_EXTERNAL: number;
  RETR_LIST: number;
  CHAIN_APPROX_SIMPLE: number;
  onRuntimeInitialized?: () => void;
}

interface Mat {
  delete(): void;
}

export type Contours = (pixels: Pixels) => Box[];

const LEAST_SIDE = 4;
const LARGEST_SHARE = 0.5;

/** The usual way without learning: edges, closed sideways to words, and the boxes of their contours. */
export async function loadContours(): Promise<Contours> {
  const loaded = (await import('@techstark/opencv-js')) as unknown as { default: OpenCv | Promise<OpenCv> };
  // The library looks like a promise of itself: to await it would never end.
  const cv = loaded.default instanceof Promise ? await loaded.default : loaded.default;
  if (!cv.Mat) {
    await new Promise<void>((resolve) => {
      cv.onRuntimeInitialized = resolve;
    });
  }
  const kernel = cv.getStructuringElement(cv.MORPH_RECT, { width: 9, height: 3 });
  return ({ width, height, data }) => {
    const image = cv.matFromArray(height, width, cv.CV_8UC3, data);
    const edges = new cv.Mat();
    const contours = new cv.MatVector();
    const hierarchy = new cv.Mat();
    cv.cvtColor(image, edges, cv.COLOR_RGB2GRAY);
    cv.Canny(edges, edges, 50, 150);
    cv.dilate(edges, edges, kernel);
    cv.findContours(edges, contours, hierarchy, cv.RETR_EXTERNAL, cv.CHAIN_APPROX_SIMPLE);
    const boxes: Box[] = [];
    for (let i = 0; i < contours.size(); i++) {
      const contour = contours.get(i);
      const { x, y, width: w, height: h } = cv.boundingRect(contour);
      contour.delete();
      if (w < LEAST_SIDE || h < LEAST_SIDE || w * h > LARGEST_SHARE * width * height) continue;
      boxes.push({ x0: x, y0: y, x1: x + w, y1: y + h });
    }
    for (const mat of [image, edges, contours, hierarchy]) mat.delete();
    return boxes;
  };
}
