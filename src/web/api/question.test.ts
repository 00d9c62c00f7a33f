import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { Question } from './question.ts';
import { RequestError } from './request.ts';

const test = suite('a question to the server');

class Server {
  readonly clock = new SteppedClock();
  readonly told: unknown[] = [];
  readonly asked: PromiseWithResolvers<string>[] = [];
  readonly question = new Question<string>({
    clock: this.clock,
    ask: () => {
      const answer = withResolvers<string>();
      this.asked.push(answer);
      return answer.promise;
    },
    onAsked: () => {},
    onAnswer: (answer) => this.told.push(answer),
    onFault: (fault) => this.told.push((fault as RequestError).code),
  });

  answer(text: string): Promise<void> {
    this.asked.at(-1)?.resolve(text);
    return this.clock.advance(0);
  }

  fail(code: string, status: number | null): Promise<void> {
    this.asked.at(-1)?.reject(new RequestError(code, 'GET /', status));
    return this.clock.advance(0);
  }
}

interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (fault: unknown) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let [resolve, reject]: [(value: T) => void, (fault: unknown) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}

test('PAGE-003 a server that is slower than the looks at it still gets to answer', async () => {
  const server = new Server();
  for (let look = 0; look < 3; look++) server.question.putAgain();
  assert.is(server.asked.length, 1);
  await server.answer('first');
  assert.equal(server.told, ['first']);
  server.question.putAgain();
  assert.is(server.asked.length, 2);
});

test('PAGE-003 after a change the answer about the state of before is not told', async () => {
  const server = new Server();
  server.question.putAnew();
  const before = server.asked[0];
  server.question.putAnew();
  before?.resolve('before');
  await server.answer('after');
  assert.equal(server.told, ['after']);
});

test('PAGE-003 silence is told and asked again, ever less often; a refusal is only told', async () => {
  const server = new Server();
  server.question.putAnew();
  for (const ms of [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
    await server.fail('no_answer', null);
    const { length } = server.asked;
    await server.clock.advance(ms - 1);
    assert.is(server.asked.length, length);
    await server.clock.advance(1);
    assert.is(server.asked.length, length + 1);
  }
  await server.fail('overloaded', 503);
  await server.clock.advance(60_000);
  await server.fail('corrupt_response', 503);
  const { length } = server.asked;
  await server.clock.advance(600_000);
  assert.is(server.asked.length, length);
  assert.equal(server.told.slice(-2), ['overloaded', 'corrupt_response']);
});

test('PAGE-003 a question that was put away tells nothing and is not asked again', async () => {
  const server = new Server();
  server.question.putAnew();
  server.question.stop();
  await server.fail('no_answer', null);
  await server.clock.advance(60_000);
  assert.equal([server.told, server.asked.length], [[], 1]);
});

test.run();
