import { writeFileSync } from 'node:fs';
import { languagePage } from './language-page.ts';

/** `npm run docs`: writes the pages that come from tables of the code. */
writeFileSync('docs/language.md', languagePage());
