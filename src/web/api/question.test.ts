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

test('PAGE-003 a server that is slower than the wishes to know anew still gets to answer each time', async () => {
  const server = new Server();
  for (let wish = 0; wish < 3; wish++) server.question.put();
  assert.is(server.asked.length, 1);
  await server.answer('first');
  assert.equal(server.told, ['first']);
  // One more for all the wishes: the answer may be about the state of before.
  assert.is(server.asked.length, 2);
  await server.answer('second');
  await server.clock.advance(60_000);
  assert.equal(server.told, ['first', 'second']);
  assert.is(server.asked.length, 2);
});

test('PAGE-003 silence and trouble of the server are told and asked again, a refusal is only told', async () => {
  const server = new Server();
  server.question.put();
  await server.fail('no_answer', null);
  await server.clock.advance(2000);
  await server.fail('internal_error', 500);
  await server.clock.advance(2000);
  await server.fail('not_found', 404);
  await server.clock.advance(60_000);
  assert.equal(server.told, ['no_answer', 'internal_error', 'not_found']);
  assert.is(server.asked.length, 3);
});

test('PAGE-003 a question that was put away tells nothing and is not asked again', async () => {
  const server = new Server();
  server.question.put();
  server.question.stop();
  await server.fail('no_answer', null);
  await server.clock.advance(60_000);
  server.question.put();
  assert.equal([server.told, server.asked.length], [[], 1]);
});

test.run();
