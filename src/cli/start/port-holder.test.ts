import { createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { CliError } from '../errors/cli-error.ts';
import { holderOf, requireFreePort } from './port-holder.ts';

const test = suite('ports');

test('a port in use is refused with 75, its holder and the option', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    await requireFreePort(port, 'the bridge', '--port');
    assert.unreachable();
  } catch (error) {
    assert.instance(error, CliError);
    assert.is((error as CliError).exitCode, 75);
    assert.match(messageOf(error), `port ${port} of the bridge is held by `);
    assert.match(messageOf(error), `(pid ${process.pid}): stop it, or give --port another one`);
  }
  await new Promise((resolve) => server.close(resolve));
  assert.is(holderOf(port), undefined);
  await requireFreePort(port, 'the bridge', '--port');
});

test.run();
