/**
 * Guards a function that a native package calls in a later turn, outside every promise: an exception there would end
 * the process. It is a fault of the device instead.
 */
export function guarded<Args extends unknown[]>(
  run: (...args: Args) => unknown,
  onFault: (cause: unknown) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      run(...args);
    } catch (cause) {
      onFault(cause);
    }
  };
}

/**
 * A listener of ours that a native package calls. Packages catch an exception of a listener and report it as an error
 * of the device, which would hide a defect of ours. It is thrown again in a turn of its own, where nothing catches it.
 */
export function exposingDefects<Args extends unknown[]>(
  listener: (...args: Args) => void,
): (...args: Args) => void {
  return guarded(listener, (defect) => {
    setImmediate(() => {
      throw defect;
    });
  });
}
