import { createHash } from 'node:crypto';
import { type Barcode, readBarcodes } from '../barcode/read-barcodes.ts';
import type { Comparison } from '../compare/compare.ts';
import type { Speaker } from '../describe/locale.ts';
import { type LlmHint, llmHint } from '../diagnose/llm-hint.ts';
import { specialHits } from '../diagnose/scene.ts';
import { writeThumbnail } from '../diagnose/thumbnail.ts';
import { setMembers } from '../program/edit-json.ts';
import { parseProgram, readProgram } from '../program/read-program.ts';
import { saveProgram } from '../program/save-program.ts';
import { WindowError } from '../window-error.ts';
import { compareWithProgram, regionDocument, similarityDocument } from './compare-with-program.ts';
import { speakerFor, timeStamp, type WindowContext } from './context.ts';
import { detectElements } from './detector.ts';
import { OCR_LEFT_OUT, readTexts, skippedOf } from './elements.ts';
import { identified } from './identify.ts';
import { lookAt, type Picture } from './picture.ts';
import { missingField, type Skipped, type WindowRequest } from './request.ts';

/** What was found, before a model was asked and anything was saved. */
export interface Examination {
  document: Record<string, unknown> & { llm_hint: LlmHint; locale: string };
  /** What a model is shown; null: there is none. */
  jpeg: Uint8Array | null;
  /** SHA-256 of the program as it was read; null without one. */
  programHash: string | null;
  /** What `save` puts into the program's metadata. */
  findings: Record<string, unknown>;
}

const PREVIEW_ELEMENTS = 12;
const PREVIEW_CHARACTERS = 200;

/** Looks at an image and decides whether a language model is worth asking (section 3, "diagnose"). */
export async function examine(context: WindowContext, request: WindowRequest): Promise<Examination> {
  if (request.image === undefined) throw missingField('diagnose', 'image');
  const stored = request.file === undefined ? undefined : await readProgram(context.access, request.file);
  const picture = await lookAt(context, request.image);
  const comparison = stored && (await compareWithProgram(context, stored, picture));
  const speaker = speakerFor(context, request);
  const skipped = [...request.skipped];
  const { features, fingerprint, pixels, scene } = picture;

  const barcodes = features.blank ? [] : await readBarcodes(pixels);
  if (!barcodes)
    skipped.push({ part: 'barcodes', reason: 'the reader is not installed, or the image too large for it' });
  const preview = features.blank
    ? null
    : await textPreview(context, picture, request.ocr ? speaker.locale : null, skipped);
  const thumbnail = await writeThumbnail(context.stateDir, picture.hash, pixels);
  if (!thumbnail) skipped.push({ part: 'thumbnail', reason: 'the image library is not installed' });
  else if (thumbnail.path === null)
    skipped.push({ part: 'thumbnail', reason: `${context.stateDir} cannot be written; set SVC_STATE_DIR` });

  const hint = llmHint({ features, scene, unchanged: comparison?.match ?? null, say: speaker.say });
  const hits = specialHits(features, barcodes?.length ?? null);
  const text = diagnosisText(picture, { comparison, barcodes, preview, hint }, speaker);
  const { recommendation } = hint;
  const { path } = picture;
  return {
    document: {
      ok: true,
      path,
      text,
      thumbnail: thumbnail?.path ?? null,
      features: { ...features, fingerprint, barcodes: barcodes ?? null, ocr_preview: preview },
      llm_hint: hint,
      width: pixels.width,
      height: pixels.height,
      locale: speaker.locale,
      recommendation,
      scene_class: scene,
      special_hits: hits,
      ...(comparison
        ? {
            similarity: {
              ...similarityDocument(comparison),
              changed_regions: comparison.changed.map(regionDocument),
            },
          }
        : {}),
      skipped,
    },
    jpeg: thumbnail?.jpeg ?? null,
    programHash: stored ? hashOf(stored.text) : null,
    findings: {
      text,
      llm_hint: hint,
      scene_class: scene,
      special_hits: hits,
      recommendation,
      diagnosed_at: timeStamp(context),
      image: path,
      fingerprint,
    },
  };
}

/** Stores what a diagnosis has found in its program. @throws WindowError `program_changed` and those of reading and writing */
export async function storeDiagnosis(
  context: WindowContext,
  {
    file,
    programHash,
    findings,
  }: { file: string; programHash: string | null; findings: Record<string, unknown> },
): Promise<object> {
  const stored = await readProgram(context.access, file);
  if (hashOf(stored.text) !== programHash)
    throw new WindowError(
      'program_changed',
      `${stored.path} was changed while the image was looked at; diagnose again`,
      {
        path: stored.path,
      },
    );
  const text = setMembers(stored.text, 'metadata', findings);
  parseProgram(stored.path, text);
  await saveProgram(context, stored.path, stored, text);
  return { ok: true, program: stored.path, keys: Object.keys(findings) };
}

async function textPreview(
  context: WindowContext,
  { pixels }: Picture,
  locale: string | null,
  skipped: Skipped[],
): Promise<string | null> {
  if (locale === null) {
    skipped.push(OCR_LEFT_OUT);
    return null;
  }
  const { elements, overlooked } = await detectElements(pixels);
  skipped.push(...skippedOf(overlooked));
  const found = identified(elements).filter(({ role }) => role === 'text' || role === 'titlebar');
  const { texts, skipped: unread } = await readTexts(
    context,
    pixels,
    found.slice(0, PREVIEW_ELEMENTS),
    locale,
  );
  skipped.push(...unread);
  const preview = [...texts.values()].flatMap(({ text }) => text ?? []).join(' ');
  return preview === '' ? null : preview.slice(0, PREVIEW_CHARACTERS);
}

function diagnosisText(
  { pixels, features, scene }: Picture,
  found: {
    comparison: Comparison | undefined;
    barcodes: Barcode[] | undefined;
    preview: string | null;
    hint: LlmHint;
  },
  { say }: Speaker,
): string {
  const { comparison, barcodes = [], preview, hint } = found;
  const [main] = features.colors.dominant;
  const { period } = features.regular_pattern;
  const sentences = [
    say('diagnose.size', { width: pixels.width, height: pixels.height, scene: say(`scene.${scene}`) }),
  ];
  if (main) {
    const percent = Math.round(main.share * 100);
    sentences.push(say('diagnose.colors', { count: features.colors.distinct, color: main.color, percent }));
  }
  if (!features.blank)
    sentences.push(say('diagnose.text', { percent: Math.round(features.text_likelihood * 100) }));
  if (period !== null) sentences.push(say('diagnose.pattern', { period }));
  if (barcodes.length > 0) {
    const texts = barcodes.map(({ format, text }) => `${format} ${text}`).join(', ');
    sentences.push(say('diagnose.barcodes', { count: barcodes.length, texts }));
  }
  if (preview !== null) sentences.push(say('diagnose.preview', { text: preview }));
  if (comparison?.match) sentences.push(say('diagnose.unchanged'));
  else if (comparison?.similarity.same_size)
    sentences.push(say('diagnose.changed', { count: comparison.changed.length }));
  else if (comparison) sentences.push(say('diagnose.resized'));
  sentences.push(say(`recommendation.${hint.recommendation}`));
  return sentences.join('\n');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
