import { isAbsolute } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The path of a `file:` URI; another URI is its own name, so that an unsaved text has one too. */
export function fileOfUri(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    // For example a host in it: such a text has no place in this file system.
    return uri;
  }
}

export const uriOfFile = (file: string): string => (isAbsolute(file) ? pathToFileURL(file).href : file);
