import type { Features } from './features.ts';
import type { SceneClass } from './scene.ts';

export const RECOMMENDATIONS = [
  'skip_unchanged_screen',
  'send_thumbnail_to_llm',
  'skip_llm_blank_capture',
  'use_vql_grid_only',
] as const;
export type Recommendation = (typeof RECOMMENDATIONS)[number];

/** One reason and what it adds to the score. */
export interface HintReason {
  code: string;
  points: number;
  /** Sentence in the language of the request. */
  text: string;
}

export interface LlmHint {
  send_to_llm: boolean;
  /** How sure the decision is, 0.5..1. */
  confidence: number;
  /** Sum of the reasons' points, 0..1; at 0.5 and more it is worth asking. */
  score: number;
  reasons: HintReason[];
  recommendation: Recommendation;
}

const WORTH_ASKING = 0.5;

export interface HintInput {
  features: Features;
  scene: SceneClass;
  /** Whether the program's fingerprint says that nothing has changed; null without a program to compare with. */
  unchanged: boolean | null;
  say(key: string, values?: Readonly<Record<string, string | number>>): string;
}

/** Whether a language model could see more in the picture than a grid of colours shows (section 3, "diagnose"). */
export function llmHint({ features, scene, unchanged, say }: HintInput): LlmHint {
  const reasons: HintReason[] = [];
  const add = (code: string, points: number, values?: Readonly<Record<string, string | number>>) =>
    reasons.push({ code, points: round2(points), text: say(`hint.${code}`, values) });
  if (unchanged) add('unchanged', -1);
  if (features.blank) add('blank', -1);
  else {
    const text = features.text_likelihood;
    if (text >= 0.02) add('text', 0.3 + Math.min(0.2, text / 2), { percent: percent(text) });
    else add('no_text', -0.1);
    if (scene === 'ui' && features.edges.density >= 0.004)
      add('structure', 0.25, { percent: percent(features.edges.density) });
    if (scene === 'picture') add('picture', 0.5);
    if (scene === 'flat') add('flat', -0.2);
    if (features.colors.distinct >= 24) add('colors', 0.1, { count: features.colors.distinct });
    if (features.large_regions.count >= 3) add('regions', 0.1, { count: features.large_regions.count });
  }
  const sum = reasons.reduce((total, { points }) => total + points, 0);
  const score = round2(Math.max(0, Math.min(1, sum)));
  const send = score >= WORTH_ASKING;
  return {
    send_to_llm: send,
    confidence: round2(0.5 + Math.min(0.5, Math.abs(score - WORTH_ASKING))),
    score,
    reasons,
    recommendation: recommendationOf(send, features.blank, unchanged === true),
  };
}

function recommendationOf(send: boolean, blank: boolean, unchanged: boolean): Recommendation {
  if (unchanged) return 'skip_unchanged_screen';
  if (send) return 'send_thumbnail_to_llm';
  return blank ? 'skip_llm_blank_capture' : 'use_vql_grid_only';
}

const percent = (share: number) => Math.round(share * 100);
const round2 = (value: number) => Math.round(value * 100) / 100;
