import type { Metafile } from 'esbuild';

/**
 * Name, version, licence and licence text of every package that went into a bundle.
 * @param root folder that the metafile's paths are relative to
 * @throws Error for a licence that may not be bundled
 */
export function licenceNotices(root: string, metafile: Metafile): string;
