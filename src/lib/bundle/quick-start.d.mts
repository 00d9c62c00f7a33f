/** @returns one program of a part that starts at once and the rest as text */
export function quickStart(quick: string, rest: string): string;
