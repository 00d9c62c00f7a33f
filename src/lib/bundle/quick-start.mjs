// One file of two parts: what must start at once, compiled by itself, and the rest of the program as text behind it, which V8 compiles only
// where the first part does not do. Compiling 3 MB takes longer than Node itself takes to start.

const MARK = '\n/*SVC-REST\n';
const END = '\n*/\n';
/** In the place of what would end the comment. */
const ESCAPE = '*~~/';
/** Before the four hexadecimal digits of a character beyond ASCII: a file that is all ASCII is read and skipped faster. */
const CODE = '~~u';

/** Compiled code of the rest is kept in a folder that only this account can write to: it is executed. */
const LOADER = `
(() => {
  const fs = require('node:fs'), os = require('node:os'), path = require('node:path');
  const text = fs.readFileSync(__filename, 'latin1');
  const at = text.indexOf(${JSON.stringify(MARK)}) + ${MARK.length};
  const rest = text.slice(at, -${END.length}).replaceAll(${JSON.stringify(ESCAPE)}, '*' + '/')
    .replace(/${CODE}(....)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  try {
    const folder = path.join(os.homedir(), '.cache', 'svc-rig');
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = fs.lstatSync(folder);
    if (uid === process.getuid() && (mode & 0o22) === 0) require('node:module').enableCompileCache?.(folder);
  } catch {
    // No home folder, or none of its own: it is compiled each time.
  }
  module._compile(rest, __filename);
})();
`;

/**
 * @param {string} quick bundle that exports \`quick(args)\`, true where it has done the work
 * @param {string} rest the whole program
 * @returns {string}
 */
export function quickStart(quick, rest) {
  const [hashBang, ...lines] = quick.split('\n');
  const body = rest.replace(/^#!.*\n/, '');
  for (const taken of [ESCAPE, CODE])
    if (body.includes(taken))
      throw new Error(`the program has ${taken} in it: choose another sequence in quick-start.mjs`);
  if (/[\u0080-\uffff]/.test(quick)) throw new Error('what starts at once has to be ASCII');
  const code = (character) => `${CODE}${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return [
    hashBang,
    lines.join('\n'),
    `if (!module.exports.quick(process.argv.slice(2))) ${LOADER.trim()}${MARK}${body.replaceAll('*/', ESCAPE).replace(/[\u0080-\uffff]/g, code)}${END}`,
  ].join('\n');
}
