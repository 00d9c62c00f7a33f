/** How a port is to be. */
export interface Wish {
  /** False: pulled out. */
  plugged: boolean;
  /** Another program has it open. Only a serial port knows this. */
  held: boolean;
}

/** A place where clients meet a twin. */
export interface Port {
  /** What the list of addresses calls it: the device's name, or a name of its own for a second port. */
  readonly name: string;
  /** As the configuration takes it. Of a network port it is known while it is plugged in. */
  readonly address: string;
  /** Where the address leads now: `/dev/pts/<n>`, a socket; null while it is pulled out. */
  readonly path: string | null;
  /** Clients that are connected; null where only the kernel knows, as for a terminal. */
  readonly clients: number | null;
  /** Resolves when the wish has come true; wishes are carried out in order. */
  want(wish: Wish): Promise<void>;
}
