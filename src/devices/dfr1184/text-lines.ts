import { ReadlineParser } from '@serialport/parser-readline';

/** The lines of a text answer, without CR LF. What follows the last CR LF is no line: undefined then. */
export async function textLines(bytes: Uint8Array): Promise<string[] | undefined> {
  const parser = new ReadlineParser({ delimiter: '\r\n', includeDelimiter: true, encoding: 'latin1' });
  const lines: string[] = [];
  parser.on('data', (line: string) => lines.push(line));
  await new Promise<void>((resolve, reject) => {
    parser.once('end', resolve);
    parser.once('error', reject);
    parser.end(Buffer.from(bytes));
  });
  if (lines.some((line) => !line.endsWith('\r\n'))) return undefined;
  return lines.map((line) => line.slice(0, -2));
}
