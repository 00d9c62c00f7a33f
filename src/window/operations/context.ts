import type { Clock } from '../../lib/clock/clock.ts';
import { BUILT_IN, cataloguesOf } from '../describe/catalogues.ts';
import { type Catalogue, type Speaker, speakerOf } from '../describe/locale.ts';
import { FileAccess } from '../image/file-access.ts';
import { TextReader } from '../ocr/text-reader.ts';
import type { WindowRequest } from './request.ts';

/** Settings of the wing; plain data, so that they reach a thread. */
export interface WindowSettings {
  cwd: string;
  home: string;
  /** SVC_WINDOW_ROOTS; undefined: no limit. */
  roots?: readonly string[] | undefined;
  /** SVC_STATE_DIR: thumbnails lie below it. */
  stateDir: string;
  /** SVC_WINDOW_CATALOGUES: message catalogues of further languages. */
  cataloguesDir?: string | undefined;
}

/** What operations work with. */
export interface WindowContext {
  access: FileAccess;
  clock: Clock;
  stateDir: string;
  offlineCatalogues: ReadonlyMap<string, Catalogue>;
  texts: TextReader;
}

/** @throws Error when a root or the catalogues are not there */
export function contextOf(settings: WindowSettings, clock: Clock): WindowContext {
  const { cwd, home, roots, stateDir, cataloguesDir } = settings;
  return {
    access: new FileAccess({ cwd, home, roots }),
    clock,
    stateDir,
    offlineCatalogues: cataloguesDir === undefined ? new Map() : cataloguesOf(cataloguesDir),
    texts: new TextReader(),
  };
}

/** Who says the texts of this request's answer. */
export function speakerFor(context: WindowContext, { locale, translateMode }: WindowRequest): Speaker {
  return speakerOf(locale, translateMode, BUILT_IN, context.offlineCatalogues);
}

/** ISO time. */
export function timeStamp({ clock }: WindowContext): string {
  return new Date(clock.now()).toISOString();
}
