/** What is shown in the browser to make a screen of it. */
export interface Shown {
  /** Toolkit, or set of pages: whole families are held back. */
  family: string;
  /** Name of the page; the same page at other densities has the same. */
  page: string;
  source: string;
  /** Path on the file server, or a document that is put there. */
  show: { path: string; scroll?: number } | { html: string };
  width: number;
  height: number;
  /** Pixels of the picture for each of the page's. */
  scale: number;
}

export const idOf = ({ page, scale, width }: Pick<Shown, 'page' | 'scale' | 'width'>): string =>
  `${page}@${scale}x${width === 1280 ? '' : `-${width}`}`.replaceAll('/', '-');
