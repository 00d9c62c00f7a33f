import { type EventEmitter, once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';

/** As the package node-pty opens a pseudo-terminal. */
type OpenTerminal = (options: { cols: number; rows: number; encoding: null }) => {
  master: EventEmitter & { destroy(): void };
  slave: { destroy(): void };
  ptsName: string;
};

/** A real pseudo-terminal; pulled, it hangs up on the one that has it open. For tests. */
export function terminal(openTerminal: OpenTerminal) {
  const { master, slave, ptsName } = openTerminal({ cols: 80, rows: 24, encoding: null });
  const keeper = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY);
  slave.destroy();
  master.on('error', () => {});
  let pulled: Promise<unknown> | undefined;
  const pull = () => {
    if (!pulled) {
      closeSync(keeper);
      pulled = once(master, 'close');
      master.destroy();
    }
    return pulled;
  };
  return { path: ptsName, pull };
}
