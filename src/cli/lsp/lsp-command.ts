import { createConnection } from 'vscode-languageserver/node';
import type { Io } from '../io/io.ts';
import { serve } from './server.ts';

export interface LspOptions {
  readonly library?: string;
}

/**
 * `svcctl lsp`: answers an editor over standard input and output until it sends `exit` or goes away. The protocol
 * layer ends the process then: with 0 after `shutdown`, else with 1.
 */
export function lspCommand({ library }: LspOptions, io: Io): Promise<never> {
  const connection = createConnection(io.stdin, io.stdout);
  serve(connection, library, io);
  connection.listen();
  return new Promise(() => {});
}
