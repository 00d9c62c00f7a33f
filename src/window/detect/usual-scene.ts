import type { Pixels } from '../image/pixels.ts';
import { type Scene, sceneOf } from './candidates.ts';
import { densityOf } from './density.ts';
import { reduced, reductionOf } from './reduce.ts';

export interface UsualScene {
  scene: Scene;
  /** In the size of the scene. */
  pixels: Pixels;
  /** Pixels of the image for each pixel of the scene. */
  factor: number;
}

/** An image in the size in which its letters are as high as those of usual screens. */
export function usualScene(image: Pixels): UsualScene {
  const first = reductionOf(image);
  const pixels = first === 1 ? image : reduced(image, first);
  const scene = sceneOf(pixels);
  const density = densityOf(scene);
  if (density === 1) return { scene, pixels, factor: first };
  const smaller = reduced(image, first * density);
  return { scene: sceneOf(smaller), pixels: smaller, factor: first * density };
}
