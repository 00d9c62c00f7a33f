import { PACKAGES } from '../packages.ts';
import type { Shown } from '../screen.ts';

/** Pages that packages bring along: their documentation, examples and visual tests. `#` parts how far the page is scrolled. */
const PAGES: Readonly<Record<string, { folder: string; names: string }>> = {
  '98.css': { folder: 'dist', names: 'index#0 index#900 index#1900 index#3200 index#4700 index#6000' },
  'xp.css': { folder: 'dist', names: 'index#0 index#900 index#1900 index#3200 index#4700 index#6000' },
  uikit: {
    folder: 'tests',
    names:
      'accordion alert article badge button card#0 comment description-list dropdown form#0 form#700 iconnav label link list modal nav navbar#0 pagination progress search subnav tab#0 table table#900',
  },
  'spectre.css': {
    folder: 'docs',
    names:
      'elements/buttons elements/forms#0 elements/forms#1500 elements/tables#300 elements/labels components/menu components/tabs components/pagination#300 components/cards components/modals components/panels#200 components/chips getting-started index',
  },
  photonkit: {
    folder: 'docs',
    names: 'components/navs components/forms components/lists components/button-groups components/tables',
  },
  gentelella: {
    folder: 'dist/production',
    names:
      'index index2 form form_advanced#300 form_buttons form_validation general_elements#200 tables tables_dynamic inbox contacts calendar e_commerce faq file_manager invoice kanban login orders pricing_tables profile projects settings typography user_management widgets',
  },
  ckeditor4: {
    folder: 'samples',
    names:
      'old/replacebyclass old/uicolor/uicolor old/toolbar/toolbar#300 old/index old/readonly toolbarconfigurator/index',
  },
  'skeleton-css': { folder: '.', names: 'index' },
  'material-design-lite': {
    folder: 'dist',
    names:
      'templates/dashboard/index templates/article/index templates/blog/index templates/text-only/index components/button/demo components/list/demo components/data-table/demo components/menu/demo components/textfield/demo components/chip/demo components/layout/demo components/tabs/demo',
  },
  'startbootstrap-sb-admin-2': {
    folder: '.',
    names:
      'index#0 index#700 buttons cards tables login register forgot-password utilities-border utilities-color utilities-other',
  },
  picnic: {
    folder: 'docs',
    names: 'index#0 index#900 documentation#0 documentation#1500 tests#0 tests#1200',
  },
  '@sakun/system.css': { folder: 'dist', names: 'index#0 index#900 index#1900 index#3000' },
};

/** Packages whose pages came when the detector had been made. */
export const LATE_PAGES: readonly string[] = [
  'material-design-lite',
  'startbootstrap-sb-admin-2',
  'picnic',
  '@sakun/system.css',
];

const SCALES: readonly (readonly number[])[] = [[1], [1, 2], [1], [1, 1.5]];

export function packagePages(): Shown[] {
  return Object.entries(PAGES).flatMap(([name, { folder, names }]) =>
    names.split(' ').flatMap((one, i) => {
      const [path, scroll = '0'] = one.split('#');
      return (SCALES[i % SCALES.length] as readonly number[]).map((scale) => ({
        family: `${name} pages`,
        page: `${name}-pages-${one.replace('#', '-')}`,
        source: `npm ${name}@${PACKAGES[name]}`,
        show: { path: `/${name}/${folder}/${path}.html`, scroll: Number(scroll) },
        width: 1280,
        height: 800,
        scale,
      }));
    }),
  );
}
