/** The word for the state of an actuator by its id: `valve-1` is open, `lung-main` moving, `pump-main` on. */
export function stateWord(id: string, state: boolean | undefined): string {
  if (state === undefined) return 'unknown';
  if (id.startsWith('valve-')) return state ? 'open' : 'closed';
  if (id.startsWith('lung-')) return state ? 'moving' : 'stopped';
  return state ? 'on' : 'off';
}
