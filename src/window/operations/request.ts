import * as z from 'zod';
import { DEFAULT_LOCALE, type TranslateMode } from '../describe/locale.ts';
import { WindowError } from '../window-error.ts';

/** Body of every operation (section 2); all fields optional, `null` is absent, unknown ones are ignored. */
export const requestSchema = z.object({
  image: z.string().min(1).max(4096).nullish(),
  file: z.string().min(1).max(4096).nullish(),
  locale: z.string().max(64).nullish(),
  grid: z.int().min(2).max(256).nullish(),
  translate_mode: z.enum(['auto', 'catalog', 'offline']).nullish(),
  save: z.boolean().nullish(),
  with_grid: z.boolean().nullish(),
  live: z.boolean().nullish(),
  ocr: z.boolean().nullish(),
  interactive: z.boolean().nullish(),
});

export type RequestBody = z.output<typeof requestSchema>;

/** Of the address: what leaves the texts out can be said there too. */
export const querySchema = z.object({ ocr: z.enum(['true', 'false']).optional() });

/** A body with what the address says; what is left out in either is left out. */
export function withQuery(body: RequestBody, { ocr }: z.output<typeof querySchema>): RequestBody {
  return ocr === 'false' ? { ...body, ocr: false } : body;
}

export const OPERATIONS = [
  'detect',
  'compare',
  'refresh',
  'diagnose',
  'analyze',
  'adopt',
  'summary',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What an operation has to do, with its defaults. */
export interface WindowRequest {
  image: string | undefined;
  file: string | undefined;
  locale: string;
  grid: number;
  translateMode: TranslateMode;
  save: boolean;
  withGrid: boolean;
  live: boolean;
  /** Whether texts are read. */
  ocr: boolean;
  /** What was asked for and is not done. */
  skipped: Skipped[];
}

export interface Skipped {
  part: string;
  reason: string;
}

export const DEFAULT_FILE = 'app.vql.json';
const DEFAULT_GRID = 12;

/** What each operation cannot do without. */
export const REQUIRED: Readonly<Record<Operation, readonly ('image' | 'file')[]>> = {
  detect: ['image'],
  compare: ['image', 'file'],
  refresh: ['image', 'file'],
  diagnose: ['image'],
  analyze: ['image'],
  adopt: ['image'],
  summary: ['file'],
};

/** @throws WindowError `missing_field` */
export function requestOf(operation: Operation, body: RequestBody): WindowRequest {
  for (const field of REQUIRED[operation]) if (body[field] == null) throw missingField(operation, field);
  if (operation === 'diagnose' && body.save && body.file == null)
    throw missingField('diagnose with save', 'file');
  const interactive = body.interactive ?? null;
  return {
    image: body.image ?? undefined,
    file: body.file ?? undefined,
    locale: body.locale || DEFAULT_LOCALE,
    grid: body.grid ?? DEFAULT_GRID,
    translateMode: body.translate_mode ?? 'auto',
    save: body.save ?? false,
    withGrid: body.with_grid ?? false,
    live: body.live ?? false,
    ocr: body.ocr ?? true,
    skipped:
      interactive === null
        ? []
        : [
            {
              part: 'interactive',
              reason: 'this service captures no screens; interactive is only for capture',
            },
          ],
  };
}

export function missingField(operation: string, field: string): WindowError {
  return new WindowError('missing_field', `${operation} needs the field "${field}"`, { field });
}
