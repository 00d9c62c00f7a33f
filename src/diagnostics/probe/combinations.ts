/** How a line is spoken on. */
export interface LineCombination {
  baudrate: number;
  parity: 'N' | 'E' | 'O';
  device_id: number;
}

const PARITIES = ['N', 'E', 'O'] as const;
const BAUDS = [19_200, 9600, 4800, 38_400, 115_200];
/** Rates that the board can be set to and that are rarely used. */
const RARE_BAUDS = [57_600, 128_000, 256_000];

/** Every combination but the configured one, in the order of the sweep. */
export function sweepOrder(configured: LineCombination | null): LineCombination[] {
  const ids = [...new Set([...(configured ? [configured.device_id] : []), 1, 2])];
  const all = [BAUDS, RARE_BAUDS].flatMap((bauds) =>
    PARITIES.flatMap((parity) =>
      bauds.flatMap((baudrate) => ids.map((device_id) => ({ baudrate, parity, device_id }))),
    ),
  );
  return all.filter((one) => !configured || !isSame(one, configured));
}

export const isSame = (one: LineCombination, other: LineCombination): boolean =>
  one.baudrate === other.baudrate && one.parity === other.parity && one.device_id === other.device_id;

/** `19200 8N1, id 1` */
export const combinationText = ({ baudrate, parity, device_id }: LineCombination): string =>
  `${baudrate} 8${parity}1, id ${device_id}`;
