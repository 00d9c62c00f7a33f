import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

/** Starts `svcctl lsp` for scenarios. VS Code reports a program that cannot be started, with its name. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const settings = vscode.workspace.getConfiguration('svc-rig');
  const library = settings.get<string>('library', '');
  client = new LanguageClient(
    'svc-rig',
    'svc-rig',
    {
      command: settings.get<string>('svcctl', 'svcctl'),
      args: ['lsp', ...(library === '' ? [] : ['--library', library])],
    },
    { documentSelector: [{ language: 'svc-scenario' }] },
  );
  context.subscriptions.push(client);
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
