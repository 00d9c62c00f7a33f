import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  DocumentSymbol,
  FoldingRange,
  Hover,
  Location,
  MarkupContent,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { Editor } from '../../test-kit/cli/editor.ts';
import { SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const lsp = suite('svcctl lsp');
const svcctl = new SvcctlProcess();
let server: ChildProcess;
let errors = '';
let editor: Editor;

const LIBRARY = '# zażółć\r\nMACRO settle:\r\n  WAIT $1\r\n';
/** Characters of two units, CRLF, and an unknown command. */
const TOP = [
  "INCLUDE 'lib.oql'",
  'GOAL:',
  "  SET NAME '😀 gęślą'",
  "  LOG '😀' # 😀",
  '  CALL settle 1s',
  '  CHEK AI01 <= 5 V',
  '  CHECK AI01 <= 5 V',
  '',
].join('\r\n');
const OTHER = "INCLUDE 'lib.oql'\nGOAL:\n  SET NAME 'other'\n  CALL settle 2s\n  CHECK AI01 <= 5 V\n";

lsp.before(async () => {
  await svcctl.build();
  svcctl.write('lib.oql', LIBRARY);
  svcctl.write('other.oql', OTHER);
  svcctl.write('svc.yaml', 'plugins: {}\n');
  server = spawn(process.execPath, [svcctl.program, 'lsp', '--stdio'], { cwd: '/' });
  server.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  editor = new Editor(server, svcctl.directory);
});
lsp.after(() => {
  server.kill();
  svcctl.dispose();
});

lsp('the server announces UTF-16 positions and every request that it answers (LSP-001)', async () => {
  const { capabilities } = await editor.initialize();
  assert.is(capabilities.positionEncoding, 'utf-16');
  for (const [provider, method] of [
    ['completionProvider', 'completion'],
    ['hoverProvider', 'hover'],
    ['definitionProvider', 'definition'],
    ['referencesProvider', 'references'],
    ['renameProvider', 'rename'],
    ['documentFormattingProvider', 'formatting'],
    ['documentSymbolProvider', 'documentSymbol'],
    ['foldingRangeProvider', 'foldingRange'],
    ['codeActionProvider', 'codeAction'],
    ['codeLensProvider', 'codeLens'],
    ['executeCommandProvider', 'executeCommand'],
  ])
    assert.ok(capabilities[provider!], method);
});

lsp('an open text gets the findings of svcctl validate, at the right characters (LSP-001)', async () => {
  await editor.open('top.oql', TOP);
  const found = await editor.diagnostics('top.oql');
  assert.equal(
    found.map(({ code, range }) => [code, editor.slice('top.oql', range)]),
    [['SCN120', 'CHEK']],
  );
  svcctl.write('top.oql', TOP);
  const { stdout } = await svcctl.run(['validate', 'top.oql', '--json']);
  const { issues } = JSON.parse(stdout) as { issues: { message: string; severity: string }[] };
  assert.equal(
    found.map(({ message }) => message),
    issues.map(({ message }) => message),
  );
});

lsp('a fix of a finding repairs the text (LSP-001)', async () => {
  const [finding] = await editor.diagnostics('top.oql');
  const actions = await editor.about<CodeAction[]>('textDocument/codeAction', 'top.oql', {
    range: finding!.range,
    context: { diagnostics: [finding] },
  });
  assert.equal(
    actions.map(({ title, kind }) => [title, kind]),
    [['Replace "CHEK" by "CHECK"', 'quickfix']],
  );
  const edits = actions[0]!.edit!.changes![editor.uri('top.oql')]!;
  assert.is(editor.edited('top.oql', edits), TOP.replace('CHEK', 'CHECK'));
});

lsp('a text with errors is not formatted, and the reason is given (LSP-001)', async () => {
  const refused = await editor.about('textDocument/formatting', 'top.oql', { options: {} }).then(
    () => '',
    (error: Error) => error.message,
  );
  assert.is(refused, 'not formatted: the text has 1 error; correct them first');
});

lsp('incremental changes after characters of two units are applied at their place (LSP-001)', async () => {
  await editor.type('top.oql', 'CHEK AI01 <= 5 V', 'MAX AI01 5 V');
  await editor.type('top.oql', '# 😀', '#  ☃ 😀');
  assert.equal(
    (await editor.diagnostics('top.oql')).filter(({ severity }) => severity === 1),
    [],
  );
});

lsp('completion offers what may be written, replacing the word under the cursor (LSP-001)', async () => {
  await editor.type('top.oql', 'MAX AI01 5 V', 'MAX ai0');
  const items = await editor.at<CompletionItem[]>('textDocument/completion', 'top.oql', 'MAX ai0', 7);
  const sensor = items.find(({ label }) => label === 'ai01')!;
  const edit = sensor.textEdit as TextEdit;
  assert.is(editor.slice('top.oql', edit.range), 'ai0');
  assert.match(editor.edited('top.oql', [edit]), '  MAX ai01\r\n');
  const macros = await editor.at<CompletionItem[]>('textDocument/completion', 'top.oql', 'settle', 3);
  assert.equal(
    macros.map(({ label, detail }) => [label, detail]),
    [['settle', '1 argument']],
  );
  await editor.type('top.oql', 'MAX ai0', 'MAX AI01 5 V');
});

lsp('hover shows the documentation of a command (LSP-001)', async () => {
  const hover = await editor.at<Hover>('textDocument/hover', 'top.oql', 'CHECK AI01', 2);
  assert.match((hover.contents as MarkupContent).value, 'Takes a fresh reading and judges it immediately');
  assert.is(editor.slice('top.oql', hover.range!), 'CHECK');
});

lsp('the definition of an included macro is found in its file (LSP-001)', async () => {
  const location = await editor.at<Location>('textDocument/definition', 'top.oql', 'settle', 2);
  assert.is(location.uri, editor.uri('lib.oql'));
  assert.equal(location.range, { start: { line: 1, character: 6 }, end: { line: 1, character: 12 } });
});

lsp('references and rename of a macro cover every scenario of the workspace (LSP-001)', async () => {
  const locations = await editor.at<Location[]>('textDocument/references', 'top.oql', 'settle', 2, {
    context: { includeDeclaration: true },
  });
  const names = (uris: readonly string[]) => uris.map((uri) => uri.split('/').at(-1)).sort();
  assert.equal(names(locations.map(({ uri }) => uri)), ['lib.oql', 'other.oql', 'top.oql']);
  const { changes } = await editor.at<WorkspaceEdit>('textDocument/rename', 'top.oql', 'settle', 2, {
    newName: 'settle down',
  });
  assert.equal(names(Object.keys(changes!)), ['lib.oql', 'other.oql', 'top.oql']);
  assert.match(editor.edited('top.oql', changes![editor.uri('top.oql')]!), "  CALL 'settle down' 1s\r\n");
});

lsp('what is not a macro, and a name in use, cannot be renamed (LSP-001)', async () => {
  const reason = (request: Promise<unknown>) =>
    request.then(
      () => '',
      (error: Error) => error.message,
    );
  assert.match(await reason(editor.at('textDocument/prepareRename', 'top.oql', 'CHECK', 1)), 'only macros');
  assert.match(
    await reason(editor.at('textDocument/rename', 'top.oql', 'settle', 2, { newName: 'a$b' })),
    'cannot be the name of a macro',
  );
});

lsp('outline and folding follow the blocks (LSP-001)', async () => {
  const symbols = await editor.about<DocumentSymbol[]>('textDocument/documentSymbol', 'top.oql');
  assert.equal(
    symbols.map(({ name }) => name),
    ['😀 gęślą'],
  );
  const folds = await editor.about<FoldingRange[]>('textDocument/foldingRange', 'top.oql');
  assert.equal(folds, [{ startLine: 1, endLine: 6 }]);
});

lsp('the format keeps CRLF and the characters (LSP-001)', async () => {
  const edits = await editor.about<TextEdit[]>('textDocument/formatting', 'top.oql', {
    options: { tabSize: 2, insertSpaces: true },
  });
  const formatted = editor.edited('top.oql', edits);
  assert.match(formatted, "LOG '😀'  #  ☃ 😀\r\n");
  assert.not(/[^\r]\n/.test(formatted));
});

lsp('the lens above the goal runs the text without hardware (LSP-001)', async () => {
  const lenses = await editor.about<CodeLens[]>('textDocument/codeLens', 'top.oql');
  assert.equal(
    lenses.map(({ range, command }) => [range.start.line, command!.title]),
    [[1, 'Dry-run the scenario']],
  );
  const { command, arguments: args } = lenses[0]!.command!;
  const result = await editor.connection.sendRequest<{ ok: boolean; outcome: string; lines: string[] }>(
    'workspace/executeCommand',
    { command, arguments: args },
  );
  assert.equal([result.ok, result.outcome], [true, 'passed']);
  assert.match(result.lines.at(-1)!, '(simulated, not a test)');
  assert.ok(editor.messages.some((message) => message.includes('1/1 passed')));
});

lsp('a change of an included text that is open is seen at once, before it is saved', async () => {
  await editor.open('lib.oql', LIBRARY);
  await editor.diagnostics('top.oql');
  editor.forgetDiagnostics('top.oql');
  await editor.type('lib.oql', 'MACRO settle', 'MACRO settled');
  const found = await editor.diagnostics('top.oql');
  assert.ok(found.some(({ code }) => code === 'SCN201'));
});

lsp('an editor that refuses to watch files is told so, and the server goes on', () => {
  assert.ok(editor.messages.some((message) => message.startsWith('files are not watched: ')));
});

lsp('a configuration that cannot be used is the one finding, with its reason', async () => {
  svcctl.write('svc.yaml', 'plugins: [\n');
  editor.forgetDiagnostics('top.oql');
  await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: editor.uri('svc.yaml'), type: 2 }],
  });
  const found = await editor.diagnostics('top.oql');
  assert.is(found.length, 1);
  assert.match(String(found[0]!.message), 'svc.yaml');
  assert.is(await editor.at('textDocument/hover', 'top.oql', 'CHECK', 2), null);
});

lsp('the server ends with 0 after shutdown and exit, and writes nothing else (LSP-001)', async () => {
  const exit = once(server, 'exit');
  await editor.exit();
  assert.is((await exit)[0], 0);
  assert.is(errors, '');
});

lsp.run();
