import { type Features, featuresOf } from '../diagnose/features.ts';
import { type SceneClass, sceneClass } from '../diagnose/scene.ts';
import { blockMapOf } from '../fingerprint/block-map.ts';
import { type Fingerprint, fingerprintOf } from '../fingerprint/fingerprint.ts';
import { type ReadImage, readImage } from '../image/read-image.ts';
import type { WindowContext } from './context.ts';

/** An image and what is measured of it. */
export interface Picture extends ReadImage {
  fingerprint: Fingerprint;
  features: Features;
  scene: SceneClass;
}

/** @throws WindowError `image_not_found`, `image_unreadable`, `path_refused` */
export async function lookAt(context: WindowContext, path: string): Promise<Picture> {
  const image = await readImage(context.access, path);
  const map = blockMapOf(image.pixels);
  const features = featuresOf(image.pixels, map);
  return { ...image, features, fingerprint: fingerprintOf(image.pixels, map), scene: sceneClass(features) };
}
