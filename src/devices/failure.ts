import type { DeviceError } from './device-error.ts';

/** For tests: the error that a promise ends with. @throws Error when it resolves */
export const failure = (promise: Promise<unknown>): Promise<DeviceError> =>
  promise.then(
    () => {
      throw new Error('it resolved');
    },
    (error: DeviceError) => error,
  );
