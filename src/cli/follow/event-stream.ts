import type { RunEvent } from '../../scenario/events/event.ts';

/** Of a run, as the server sends it. */
export type StreamedEvent =
  | { readonly id: string; readonly event: RunEvent }
  /** Why events are missing. */
  | { readonly fault: string; readonly temporary: boolean };

/** Reads server-sent events of a run; `alive` and comments are passed over. @throws what the stream throws */
export async function* readEventStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined && /^event: record-fault$/m.test(block))
        yield faultOf(JSON.parse(data) as { reason: unknown; temporary?: unknown });
      else if (id !== undefined && data !== undefined) yield { id, event: JSON.parse(data) as RunEvent };
    }
  }
}

const faultOf = ({ reason, temporary }: { reason: unknown; temporary?: unknown }): StreamedEvent => ({
  fault: String(reason),
  temporary: temporary === true,
});
