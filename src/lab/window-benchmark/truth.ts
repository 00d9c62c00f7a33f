import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const item = z.object({
  class: z.string(),
  box,
  /** Where its visible pixels are. */
  ink: box.optional(),
  /** Other boxes that are as good. */
  alts: z.array(box).optional(),
  tag: z.string().optional(),
  role: z.string().optional(),
});

const truth = z.object({
  id: z.string(),
  kind: z.string().optional(),
  family: z.string().optional(),
  scale: z.number().optional(),
  items: z.array(item),
});

export type TruthBox = z.infer<typeof box>;
export type TruthItem = z.infer<typeof item>;

export interface Screen {
  id: string;
  /** Path of its PNG image. */
  image: string;
  isDesktop: boolean;
  /** Toolkit or set of pages. */
  family: string;
  /** The same page at other densities has the same. */
  page: string;
  /** Pixels of the picture for each of the page's. */
  scale: number;
  items: TruthItem[];
}

/** The screens `<id>.png` of a folder that have a truth `<id>.gt.json`. @throws Error when there is none, or one is broken */
export function screensOf(folder: string): Screen[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.gt.json'))
    .sort();
  if (files.length === 0)
    throw new Error(`${folder} holds no <id>.gt.json; name a folder of screens with their truth`);
  return files.map((name) => {
    const path = join(folder, name);
    const read = truth.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    if (!read.success) throw new Error(`${path} is no truth of a screen: ${z.prettifyError(read.error)}`);
    const { id, kind, family, scale, items } = read.data;
    return {
      id,
      image: join(folder, `${id}.png`),
      isDesktop: kind === 'desktop',
      family: family ?? id.split('-')[0] ?? id,
      page: id.slice(0, Math.max(0, id.lastIndexOf('@'))) || id,
      scale: scale ?? 1,
      items,
    };
  });
}
