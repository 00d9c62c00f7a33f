import { writeFileSync } from 'node:fs';
import { configJsonSchemaText } from '../../rig/configuration/json-schema.ts';
import { editorDataText } from './editor-data.ts';
import { languagePage } from './language-page.ts';
import { textMateGrammarText } from './textmate-grammar.ts';

/** `npm run docs`: writes the pages that come from tables of the code. */
writeFileSync('docs/language.md', languagePage());
writeFileSync('docs/language.json', editorDataText());
writeFileSync('docs/svc-yaml.schema.json', configJsonSchemaText());
writeFileSync('editors/vscode/syntaxes/scenario.tmLanguage.json', textMateGrammarText());
