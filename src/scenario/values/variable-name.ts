/** A name that `$name` or `${name}` can refer to. */
export const VARIABLE_NAME = /^(?!__proto__$)[\p{L}_][\p{L}\p{N}_.-]*$/u;
