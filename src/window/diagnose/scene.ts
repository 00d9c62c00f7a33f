import type { Features } from './features.ts';

export type SceneClass = 'blank' | 'flat' | 'text' | 'ui' | 'picture';

/** What kind of picture it is, by its measures alone. */
export function sceneClass({ blank, text_likelihood, colors, large_regions, edges }: Features): SceneClass {
  if (blank) return 'blank';
  const even = large_regions.largest_share;
  // A photograph has no even area and colours of all kinds.
  if (even < 0.15 && colors.distinct > 200) return 'picture';
  if (edges.density < 0.002) return 'flat';
  return text_likelihood >= 0.45 && large_regions.count <= 2 ? 'text' : 'ui';
}

/** What stands out; counts and names, for programs. */
export interface SpecialHits {
  blank: boolean;
  dark_theme: boolean;
  text: boolean;
  regular_pattern: boolean;
  barcodes: number | null;
}

/** @param barcodes how many were read; null: nobody looked */
export function specialHits(features: Features, barcodes: number | null): SpecialHits {
  return {
    blank: features.blank,
    dark_theme: features.luminance.dark_theme,
    text: features.text_likelihood >= 0.05,
    regular_pattern: features.regular_pattern.period !== null,
    barcodes,
  };
}
