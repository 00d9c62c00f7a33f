import * as assert from 'uvu/assert';
import { DeviceError } from '../../devices/device-error.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { problemReply } from '../../lib/http/problem.ts';
import { test } from '../../test-kit/suite.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { translateRigFault } from '../service/translate.ts';
import { asRigError } from './rig-error.ts';

const metrics = { count: () => {} } as unknown as Parameters<typeof translateRigFault>[0];
const answerTo = (thrown: unknown) => {
  const { status, body } = problemReply(translateRigFault(metrics)(asRigError(thrown, 'pump-motor')));
  const { code, detail } = body as { code: string; detail: string };
  return { status, code, detail };
};

test('DEV-035 the code of a device error reaches the client as it is, with its own status', () => {
  const of = (code: DeviceError['code']) => answerTo(new DeviceError(code, 'no'));
  assert.equal(of('pump_unverified'), { status: 503, code: 'pump_unverified', detail: 'pump-motor: no' });
  assert.equal(
    [of('modbus_exception').code, of('adc_foreign_config').code],
    ['modbus_exception', 'adc_foreign_config'],
  );
  assert.is(of('device_timeout').status, 504);
});

test('a port that is away is device_unavailable, any other coded error is device_error', () => {
  assert.is(answerTo(new TransportError('port_gone', 'serial:/dev/x', 'away')).code, 'device_unavailable');
  assert.is(answerTo(new CodedError('something_else', 'odd')).code, 'device_error');
});

test('a defect is not hidden behind a device code', () => {
  const { status, code, detail } = answerTo(new TypeError('x is undefined'));
  assert.equal([status, code], [500, 'internal_error']);
  assert.not.match(detail, 'undefined');
});

test.run();
