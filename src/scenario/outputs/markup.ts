/** Characters that XML 1.0 cannot hold in any form, and that no page should show. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as content or quoted attribute of XML and HTML. Forbidden characters become U+FFFD. */
export const escapeMarkup = (text: string): string =>
  text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"']/g, (char) => ENTITIES[char]!);

/** As {@link escapeMarkup}, keeping line breaks and tabs in an XML attribute, where a parser would make them blanks. */
export const escapeAttribute = (text: string): string =>
  escapeMarkup(text).replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
