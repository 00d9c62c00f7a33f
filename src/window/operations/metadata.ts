import type { Speaker } from '../describe/locale.ts';
import { type LlmHint, llmHint } from '../diagnose/llm-hint.ts';
import { type SpecialHits, specialHits } from '../diagnose/scene.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { WindowContext } from './context.ts';
import { timeStamp } from './context.ts';
import type { Picture } from './picture.ts';

/** What a program keeps of the image that it was made from. */
export interface ImageMetadata {
  image: string;
  analyzed_at: string;
  fingerprint: Fingerprint & Record<string, unknown>;
  scene_class: string;
  special_hits: SpecialHits & Record<string, unknown>;
  llm_hint: LlmHint & Record<string, unknown>;
}

export function imageMetadata(context: WindowContext, picture: Picture, { say }: Speaker): ImageMetadata {
  const { path, fingerprint, features, scene } = picture;
  return {
    image: path,
    analyzed_at: timeStamp(context),
    fingerprint: { ...fingerprint },
    scene_class: scene,
    special_hits: { ...specialHits(features, null) },
    llm_hint: { ...llmHint({ features, scene, unchanged: null, say }) },
  };
}
