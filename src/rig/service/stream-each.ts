import { NDJSON_TYPE, type Reply, stream } from '../../lib/http/reply.ts';

/** What the route of one would have answered. */
export interface OwnAnswer {
  status: number;
  body: unknown;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * A line for each, in the order in which they come, so that none waits for a slow one. What comes in one turn of the event
 * loop is sent as one piece.
 * @param names as they were asked for, which the lines bear
 * @param ask never throws
 */
export async function streamEach(
  names: ReadonlySet<string>,
  ask: (name: string) => Promise<OwnAnswer>,
): Promise<Reply> {
  let text = '';
  let left = names.size;
  let wake = (): void => {};
  for (const sensor of names)
    void ask(sensor).then((answer) => {
      text += `${JSON.stringify({ sensor, ...answer })}\n`;
      left -= 1;
      wake();
    });
  const arrive = async (): Promise<string> => {
    if (text === '' && left > 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    if (left > 0) await turn();
    const arrived = text;
    text = '';
    return arrived;
  };
  const first = await arrive();
  if (left === 0) return { status: 200, text: first, headers: { 'content-type': NDJSON_TYPE } };
  return stream(pieces(), NDJSON_TYPE);

  async function* pieces(): AsyncGenerator<string> {
    yield first;
    while (left > 0 || text !== '') yield await arrive();
  }
}
