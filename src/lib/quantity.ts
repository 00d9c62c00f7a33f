/**
 * A number in a unit. Seconds given where milliseconds are wanted do not compile; a plain number, and the result of
 * arithmetic, is taken for any unit.
 */
type Quantity<Unit extends string> = number & { readonly unit?: Unit };

export type Milliseconds = Quantity<'ms'>;
export type Seconds = Quantity<'s'>;
export type Volts = Quantity<'V'>;
/** 0 to 100 where it is a share. */
export type Percent = Quantity<'%'>;
export type LitresPerMinute = Quantity<'l/min'>;
