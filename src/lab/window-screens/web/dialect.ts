/** Parts of a page that a toolkit may have a class for. */
export type Part =
  | 'main'
  | 'title'
  | 'nav'
  | 'brand'
  | 'navList'
  | 'navItem'
  | 'navLink'
  | 'navOn'
  | 'side'
  | 'sideItem'
  | 'card'
  | 'cardTitle'
  | 'cardBody'
  | 'button'
  | 'primary'
  | 'plain'
  | 'danger'
  | 'small'
  | 'group'
  | 'field'
  | 'label'
  | 'input'
  | 'select'
  | 'textarea'
  | 'check'
  | 'checkBox'
  | 'table'
  | 'alert'
  | 'badge'
  | 'tabs'
  | 'tab'
  | 'tabLink'
  | 'tabOn'
  | 'crumbs'
  | 'crumb'
  | 'pages'
  | 'page'
  | 'pageLink'
  | 'list'
  | 'item'
  | 'menu'
  | 'menuItem'
  | 'progress'
  | 'bar';

/** How one toolkit writes a page: its style sheets, and the classes of its parts. */
export interface Dialect {
  family: string;
  package: string;
  /** Style sheets in the package. */
  css: readonly string[];
  /** Attributes of `<html>`, and a style of our own where a toolkit leaves the page to the user. */
  html?: string;
  style?: string;
  classes: Partial<Record<Part, string>>;
  /** Entries of bars, tabs and lists are links without a list around them. */
  isFlat?: boolean;
  /** Modules in the package that define its elements, and what is written instead of buttons and fields. */
  script?: string;
  elements?: Partial<Record<'button' | 'input' | 'select' | 'textarea' | 'check', (text: string) => string>>;
}
