import { WindowError } from '../window-error.ts';

/** Of a file, bytes (section 1). */
export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** Of an image, width by height (section 1). */
export const MAX_PIXELS = 50_000_000;
/** Of a program file, bytes; the largest that is written here has a few. */
export const MAX_PROGRAM_BYTES = 64 * 1024 * 1024;

/** Refuses before anything is decoded. @throws WindowError `image_unreadable` */
export function checkDimensions(path: string, width: number, height: number): void {
  if (width < 1 || height < 1) throw unreadable(path, `has ${width} x ${height} pixels`);
  if (width * height > MAX_PIXELS)
    throw unreadable(path, `has ${width} x ${height} pixels; at most ${MAX_PIXELS} are taken`);
}

export function unreadable(path: string, why: string, cause?: unknown): WindowError {
  return new WindowError('image_unreadable', `image ${path} ${why}`, { path, cause });
}
