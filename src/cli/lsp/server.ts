import {
  CodeActionKind,
  type Connection,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { version } from '../../lib/version.ts';
import type { Analysis } from '../../scenario/language-service/analysis.ts';
import { completionAt } from '../../scenario/language-service/completion.ts';
import { findingsOf } from '../../scenario/language-service/findings.ts';
import { foldingRanges } from '../../scenario/language-service/folding.ts';
import { formatEdit } from '../../scenario/language-service/formatting.ts';
import { hoverAt } from '../../scenario/language-service/hover.ts';
import { codeLenses } from '../../scenario/language-service/lenses.ts';
import { macroAt } from '../../scenario/language-service/macros.ts';
import { outlineOf } from '../../scenario/language-service/outline.ts';
import type { Io } from '../io/io.ts';
import { CAPABILITIES } from './capabilities.ts';
import {
  completionItems,
  DRY_RUN,
  diagnosticOf,
  foldingOf,
  hoverOf,
  lensOf,
  locationOf,
  rangeOf,
  symbolOf,
} from './convert.ts';
import { dryRun } from './dry-run.ts';
import { fileOfUri, uriOfFile } from './file-uri.ts';
import { Publisher } from './publisher.ts';
import { workspaceReferences, workspaceRename } from './rename-macro.ts';
import { Workspace } from './workspace.ts';

/** An open text and what is known about it. */
interface Subject {
  readonly document: TextDocument;
  readonly analysis: Analysis;
}

/** Answers an editor over a connection; the caller starts to listen. */
export function serve(connection: Connection, library: string | undefined, io: Io): void {
  const documents = new TextDocuments(TextDocument);
  let workspace: Workspace;
  let canWatch = false;

  const openAs = (file: string) => documents.all().find(({ uri }) => fileOfUri(uri) === file);
  const uriOf = (file: string): string => openAs(file)?.uri ?? uriOfFile(file);

  connection.onInitialize(({ capabilities, workspaceFolders, rootUri }) => {
    const folder = workspaceFolders?.[0]?.uri ?? rootUri;
    canWatch = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    workspace = new Workspace(
      {
        root: folder ? fileOfUri(folder) : io.cwd,
        library,
        open: (file) => openAs(file)?.getText(),
      },
      io,
    );
    return { capabilities: CAPABILITIES, serverInfo: { name: 'svcctl lsp', version } };
  });

  connection.onInitialized(async () => {
    if (!canWatch) return;
    const watchers = ['**/*.{oql,cql}', '**/svc.yaml'].map((globPattern) => ({ globPattern }));
    await connection.client
      .register(DidChangeWatchedFilesNotification.type, { watchers })
      // A change of a file is seen with the next save then.
      .catch((thrown: unknown) => connection.console.warn(`files are not watched: ${messageOf(thrown)}`));
  });

  /** Undefined for a text that is not open, or while `svc.yaml` cannot be used: then only that is reported. */
  async function subjectOf(uri: string): Promise<Subject | undefined> {
    const document = documents.get(uri);
    if (!document) return undefined;
    try {
      return { document, analysis: await workspace.analysis(fileOfUri(uri), document.getText()) };
    } catch {
      return undefined;
    }
  }

  const publisher = new Publisher(connection, documents, () => workspace, io.clock);

  function refreshAll(): void {
    workspace.refresh();
    for (const { uri } of documents.all()) publisher.publishSoon(uri);
  }

  documents.onDidChangeContent(({ document: { uri } }) => {
    const file = fileOfUri(uri);
    publisher.publishSoon(uri);
    for (const other of documents.all())
      if (workspace.includes(fileOfUri(other.uri), file)) publisher.publishSoon(other.uri);
    workspace.forget(file);
  });
  documents.onDidClose(({ document: { uri } }) => {
    workspace.forget(fileOfUri(uri));
    publisher.withdraw(uri);
  });
  documents.onDidSave(refreshAll);
  connection.onDidChangeWatchedFiles(refreshAll);

  connection.onCompletion(async ({ textDocument, position }) => {
    const subject = await subjectOf(textDocument.uri);
    if (!subject) return null;
    const { document, analysis } = subject;
    return completionItems(document, completionAt(analysis, document.offsetAt(position)));
  });

  connection.onHover(async ({ textDocument, position }) => {
    const subject = await subjectOf(textDocument.uri);
    const about = subject && hoverAt(subject.analysis, subject.document.offsetAt(position));
    return about ? hoverOf(subject.document, about) : null;
  });

  async function macroOf(uri: string, position: { line: number; character: number }) {
    const subject = await subjectOf(uri);
    const macro = subject && macroAt(subject.analysis, subject.document.offsetAt(position));
    return macro && { ...subject, macro };
  }

  connection.onDefinition(async ({ textDocument, position }) => {
    const found = await macroOf(textDocument.uri, position);
    const place = found?.macro.nameAt;
    return place ? locationOf(found.analysis, place, uriOf(place.file)) : null;
  });

  connection.onReferences(async ({ textDocument, position, context }) => {
    const found = await macroOf(textDocument.uri, position);
    if (!found) return null;
    const { analysis, macro } = found;
    const all = await workspaceReferences(workspace, analysis, macro, uriOf);
    const { nameAt } = macro;
    if (context.includeDeclaration || !nameAt) return all;
    const { uri, range } = locationOf(analysis, nameAt, uriOf(nameAt.file));
    return all.filter(
      (one) =>
        one.uri !== uri ||
        one.range.start.line !== range.start.line ||
        one.range.start.character !== range.start.character,
    );
  });

  connection.onPrepareRename(async ({ textDocument, position }) => {
    const found = await macroOf(textDocument.uri, position);
    if (!found)
      throw new ResponseError(
        ErrorCodes.InvalidRequest,
        'only macros can be renamed: place the cursor on the name of one',
      );
    return { defaultBehavior: true };
  });

  connection.onRenameRequest(async ({ textDocument, position, newName }) => {
    const found = await macroOf(textDocument.uri, position);
    return found ? workspaceRename(workspace, found.analysis, found.macro, newName, uriOf) : null;
  });

  connection.onDocumentFormatting(async ({ textDocument }) => {
    const subject = await subjectOf(textDocument.uri);
    if (!subject) return null;
    const result = formatEdit(subject.analysis);
    if ('errors' in result)
      throw new ResponseError(
        ErrorCodes.InvalidRequest,
        `not formatted: the text has ${result.errors} ${result.errors === 1 ? 'error' : 'errors'}; correct them first`,
      );
    const { edit } = result;
    return edit ? [{ range: rangeOf(subject.document, edit), newText: edit.text }] : [];
  });

  connection.onDocumentSymbol(async ({ textDocument }) => {
    const subject = await subjectOf(textDocument.uri);
    return subject ? outlineOf(subject.analysis).map((item) => symbolOf(subject.document, item)) : null;
  });

  connection.onFoldingRanges(async ({ textDocument }) => {
    const subject = await subjectOf(textDocument.uri);
    if (!subject) return null;
    const { document, analysis } = subject;
    return foldingRanges(analysis).map((folding) => foldingOf(document, analysis, folding));
  });

  connection.onCodeAction(async ({ textDocument, range }) => {
    const subject = await subjectOf(textDocument.uri);
    if (!subject) return null;
    const { document, analysis } = subject;
    const from = document.offsetAt(range.start);
    const to = document.offsetAt(range.end);
    return findingsOf(analysis)
      .filter((finding) => finding.from <= to && from <= finding.to)
      .flatMap((finding) =>
        finding.fixes.map(({ title, edit }) => ({
          title,
          kind: CodeActionKind.QuickFix,
          diagnostics: [diagnosticOf(document, analysis, finding)],
          edit: { changes: { [document.uri]: [{ range: rangeOf(document, edit), newText: edit.text }] } },
        })),
      );
  });

  connection.onCodeLens(async ({ textDocument }) => {
    const subject = await subjectOf(textDocument.uri);
    return subject ? codeLenses(subject.analysis).map((lens) => lensOf(subject.document, lens)) : null;
  });

  connection.onExecuteCommand(async ({ command, arguments: args = [] }) => {
    const [uri, goal] = args as unknown[];
    const document = typeof uri === 'string' ? documents.get(uri) : undefined;
    if (command !== DRY_RUN || !document)
      throw new ResponseError(ErrorCodes.InvalidParams, `${command} needs the URI of an open scenario`);
    const result = await dryRun(
      workspace,
      {
        file: fileOfUri(document.uri),
        text: document.getText(),
        goal: typeof goal === 'string' ? goal : undefined,
      },
      io,
    );
    for (const line of result.lines) connection.console.log(line);
    const last = result.lines.at(-1) ?? result.outcome;
    // A notification: the request of that name would wait for an answer of the person.
    const type = result.ok ? MessageType.Info : MessageType.Warning;
    await connection.sendNotification(ShowMessageNotification.type, { type, message: last });
    return result;
  });

  documents.listen(connection);
}
