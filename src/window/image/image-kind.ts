/** What a file is by its first bytes, whatever its name says. */
export type ImageKind = 'png' | 'jpeg' | 'webp';

export function imageKind(head: Uint8Array): ImageKind | undefined {
  const text = Buffer.from(head.subarray(0, 12)).toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('RIFF') && text.slice(8) === 'WEBP') return 'webp';
  return undefined;
}
