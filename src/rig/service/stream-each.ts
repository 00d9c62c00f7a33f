import { NDJSON_TYPE, type Reply, stream } from '../../lib/http/reply.ts';

/** What the route of one would have answered. */
export interface OwnAnswer {
  status: number;
  body: unknown;
}

/**
 * A line for each, in the order in which they come, so that none waits for a slow one. What comes in one turn of the event
 * loop is sent as one piece.
 * @param ids by the names they were asked for, which the lines bear
 * @throws what `ask` throws, which breaks an answer off that has begun
 */
export async function streamEach(
  ids: ReadonlyMap<string, string>,
  ask: (id: string) => Promise<OwnAnswer>,
): Promise<Reply> {
  let text = '';
  let left = ids.size;
  let defect: { thrown: unknown } | undefined;
  let wake = (): void => {};
  for (const [sensor, id] of ids)
    void ask(id)
      .then(
        (answer) => {
          text += `${JSON.stringify({ sensor, ...answer })}\n`;
          left -= 1;
        },
        (thrown: unknown) => {
          defect = { thrown };
        },
      )
      .then(() => wake());
  const arrive = async (): Promise<string> => {
    if (text === '' && !defect)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    if (left > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    if (defect) throw defect.thrown;
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
