/** How a port is to be. */
export interface PortState {
  /** False: unplugged. */
  plugged: boolean;
  /** Another program has it open. Only a serial port has this state. */
  held: boolean;
}

/** A place where clients meet a twin. */
export interface Port {
  /** As the configuration takes it. That of a network port is known while it is plugged in. */
  readonly address: string;
  /** Where the address leads now: `/dev/pts/<n>`, a socket; null while it is unplugged. */
  readonly path: string | null;
  /** Clients that are connected; null where only the kernel knows, as for a terminal. */
  readonly clients: number | null;
  /** Resolves when the port is in that state; calls are carried out in order. */
  become(state: PortState): Promise<void>;
}
