import type { Io } from '../io/io.ts';
import { readScenarioFile } from './read-file.ts';
import { isUrl, type ScenarioSource } from './scenario-source.ts';

/**
 * Reads a scenario from a path, from `-` (standard input) or from a URL.
 * @throws CliError `source_unreadable`, exit code 2
 */
export async function readSource(name: string, io: Io): Promise<ScenarioSource> {
  if (!isUrl(name)) return readScenarioFile(name, io.cwd);
  const { readScenarioUrl } = await import('./read-url.ts');
  return readScenarioUrl(name, io);
}
