import { createHash } from 'node:crypto';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { FileAccess, OpenedFile } from './file-access.ts';
import { imageKind } from './image-kind.ts';
import { checkDimensions, MAX_IMAGE_BYTES, MAX_PIXELS, unreadable } from './limits.ts';
import type { Pixels } from './pixels.ts';
import { readHeader } from './png/chunks.ts';
import { decodePng } from './png/decode.ts';
import { PngFault } from './png/png-fault.ts';
import { componentMissing, loadSharp } from './sharp.ts';
import { webpSize } from './webp-size.ts';

export interface ReadImage {
  /** Absolute, as asked for. */
  path: string;
  pixels: Pixels;
  /** SHA-256 of the file, hex. */
  hash: string;
}

/** @throws WindowError `image_not_found`, `image_unreadable`, `path_refused`, `component_missing` for JPEG and WebP */
export async function readImage(access: FileAccess, path: string): Promise<ReadImage> {
  const file = await access.open(path, 'image_not_found');
  try {
    const bytes = await readAll(file);
    return {
      path: file.path,
      pixels: await decode(file.path, bytes),
      hash: createHash('sha256').update(bytes).digest('hex'),
    };
  } finally {
    await file.handle.close();
  }
}

export interface ImageSize {
  width: number;
  height: number;
  fileBytes: number;
}

/** Enough for the headers of all but odd files, bytes. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Size of an image by its header alone, so that memory can be set aside before it is decoded. A JPEG or WebP whose header
 * says nothing is taken for as large as any that is read.
 *
 * @throws WindowError as `readImage`
 */
export async function readSize(access: FileAccess, path: string): Promise<ImageSize> {
  const file = await access.open(path, 'image_not_found');
  try {
    const fileBytes = file.size;
    const head = await readAll({ ...file, size: Math.min(fileBytes, HEAD_BYTES) });
    const kind = imageKind(head);
    if (!kind) throw unreadable(file.path, 'is not a PNG, JPEG or WebP image by its content');
    if (kind === 'png') {
      const { width, height } = pngHeader(file.path, head);
      return { width, height, fileBytes };
    }
    const known = kind === 'webp' ? webpSize(head) : await jpegSize(head);
    return { width: known?.width ?? MAX_PIXELS, height: known?.height ?? 1, fileBytes };
  } finally {
    await file.handle.close();
  }
}

async function jpegSize(head: Buffer): Promise<{ width: number; height: number } | undefined> {
  const sharp = await loadSharp();
  return sharp?.(head, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
}

/** @throws WindowError `image_unreadable`, also when the image is too large */
function pngHeader(path: string, bytes: Buffer): { width: number; height: number } {
  try {
    const { width, height } = readHeader(bytes);
    checkDimensions(path, width, height);
    return { width, height };
  } catch (thrown) {
    if (thrown instanceof PngFault) throw unreadable(path, thrown.message, thrown);
    throw thrown;
  }
}

async function readAll({ path, handle, size }: OpenedFile): Promise<Buffer> {
  const tooLarge = () => unreadable(path, `is larger than ${MAX_IMAGE_BYTES} bytes`);
  if (size > MAX_IMAGE_BYTES) throw tooLarge();
  // What is read is bounded by what it was when it was opened: it may be growing.
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

async function decode(path: string, bytes: Buffer): Promise<Pixels> {
  const kind = imageKind(bytes);
  if (!kind) throw unreadable(path, 'is not a PNG, JPEG or WebP image by its content');
  if (kind !== 'png') return decodeBySharp(path, kind, bytes);
  try {
    pngHeader(path, bytes);
    return await decodePng(bytes);
  } catch (thrown) {
    if (thrown instanceof PngFault) throw unreadable(path, thrown.message, thrown);
    throw thrown;
  }
}

async function decodeBySharp(path: string, kind: string, bytes: Buffer): Promise<Pixels> {
  const sharp = await loadSharp();
  if (!sharp) throw componentMissing(`image ${path} is no PNG but ${kind}, which`);
  try {
    const options = { failOn: 'truncated' as const, limitInputPixels: MAX_PIXELS };
    const { width = 0, height = 0 } = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
    checkDimensions(path, width, height);
    const { data, info } = await sharp(bytes, options)
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) throw unreadable(path, `was decoded to ${info.channels} channels`);
    return { width: info.width, height: info.height, data };
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'image_unreadable') throw thrown;
    throw unreadable(path, `cannot be decoded: ${messageOf(thrown)}`, thrown);
  }
}
