import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { askModel, type ModelAnswer } from './ask-model.ts';

const test = suite('language model');

const KEY = 'sk-very-secret-key';
const PROGRAM = {
  version: '1.0',
  render_target: 'svg',
  scene: { width: 1, height: 1, background: '#000000', layers: [] },
};

interface Asked {
  headers: IncomingMessage['headers'];
  url: string | undefined;
  body: { model: string; messages: { content: { type: string; image_url?: { url: string } }[] }[] };
}

/** A server of its own for one question. */
async function asked(
  answer: (response: ServerResponse) => void,
  options: { key?: string; timeoutMs?: number } = {},
): Promise<{ answer: ModelAnswer; asked: Asked | undefined }> {
  let seen: Asked | undefined;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    seen = { headers: request.headers, url: request.url, body: JSON.parse(text) };
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const settings = { baseUrl: `http://127.0.0.1:${port}/v1/`, model: 'eye', timeoutMs: 20_000, ...options };
    const got = await askModel(settings, { jpeg: Buffer.from('JPEG'), locale: 'pl' }, systemClock);
    return { answer: got, asked: seen };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const says = (content: unknown) => (response: ServerResponse) =>
  void response.end(JSON.stringify({ choices: [{ message: { content } }] }));

test('WIN-014 the model is shown the picture as a data URL, with the key and by the name of the model', async () => {
  const { asked: question, answer } = await asked(says('A start page.'), { key: KEY });
  assert.is(question?.url, '/v1/chat/completions');
  assert.is(question?.headers.authorization, `Bearer ${KEY}`);
  assert.is(question?.body.model, 'eye');
  const image = question?.body.messages[0]?.content.find(({ type }) => type === 'image_url');
  assert.is(image?.image_url?.url, `data:image/jpeg;base64,${Buffer.from('JPEG').toString('base64')}`);
  assert.equal(answer, { ok: true, model: 'eye', text: 'A start page.' });
});

test('WIN-014 without a key none is sent', async () => {
  const { asked: question } = await asked(says('x'));
  assert.is(question?.headers.authorization, undefined);
});

test('WIN-014 a program in the answer is taken when it is one, also in a fence or alone', async () => {
  const text = JSON.stringify({ text: 'Login', program: PROGRAM });
  for (const content of [text, `\`\`\`json\n${text}\n\`\`\``])
    assert.equal((await asked(says(content))).answer, {
      ok: true,
      model: 'eye',
      text: 'Login',
      program: PROGRAM,
    });
  assert.equal((await asked(says(JSON.stringify(PROGRAM)))).answer, {
    ok: true,
    model: 'eye',
    text: '',
    program: PROGRAM,
  });
});

test('WIN-014 an answer against the schema is refused, with the JSON path', async () => {
  const program = { ...PROGRAM, scene: { ...PROGRAM.scene, width: -1 } };
  const { answer } = await asked(says(JSON.stringify({ text: 'Login', program })));
  assert.equal([answer.ok, answer.ok || answer.reason], [false, 'llm_answer_invalid']);
  assert.match(answer.ok ? '' : answer.error, '$.scene.width');
});

const bad: [name: string, answer: (response: ServerResponse) => void, reason: string][] = [
  ['a status of 500', (response) => void response.writeHead(500).end('{"error":"x"}'), 'llm_refused'],
  ['a status of 401', (response) => void response.writeHead(401).end(KEY), 'llm_refused'],
  ['garbage', (response) => void response.end('<html>'), 'llm_answer_invalid'],
  ['no choices', (response) => void response.end('{"choices":[]}'), 'llm_answer_invalid'],
  ['an empty text', says('  '), 'llm_answer_invalid'],
  ['no text', says(null), 'llm_answer_invalid'],
  ['an object without text', says('{"a":1}'), 'llm_answer_invalid'],
  ['an endless answer', (response) => void response.end('x'.repeat(1_100_000)), 'llm_answer_invalid'],
  ['a broken connection', (response) => void response.destroy(), 'llm_unreachable'],
];
for (const [name, answer, reason] of bad)
  test(`WIN-014 ${name} is told as ${reason}, and the key is not in it`, async () => {
    const { answer: got } = await asked(answer, { key: KEY });
    assert.equal([got.ok, got.ok || got.reason], [false, reason]);
    assert.not.ok(JSON.stringify(got).includes(KEY));
  });

test('WIN-014 the key is not carried to another address that the server names', async () => {
  let asks = 0;
  const { answer } = await asked(
    (response) => {
      asks++;
      if (asks === 1) response.writeHead(307, { location: '/elsewhere' }).end();
      else says('A start page.')(response);
    },
    { key: KEY },
  );
  assert.equal([answer.ok, answer.ok || answer.reason, asks], [false, 'llm_unreachable', 1]);
});

test('WIN-014 a model that does not answer is left after its time', async () => {
  const { answer } = await asked(() => {}, { timeoutMs: 100 });
  assert.equal([answer.ok, answer.ok || answer.reason], [false, 'llm_timeout']);
});

test.run();
