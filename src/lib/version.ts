import { readFileSync } from 'node:fs';

declare const SVC_VERSION: string | undefined;

/** Version of the software: put in by the build, read from package.json when the sources run. */
export const version: string = typeof SVC_VERSION === 'string' ? SVC_VERSION : versionOfSources();

function versionOfSources(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
