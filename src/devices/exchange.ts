/** How one call to a driver is to be carried out. */
export interface Exchange {
  /** `safe` goes ahead of all waiting work and interrupts what runs. */
  priority?: 'normal' | 'safe';
  signal?: AbortSignal;
  /** Milliseconds from the call to its end, waiting included. Default 5000. */
  deadlineMs?: number;
}
