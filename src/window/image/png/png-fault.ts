/** Why bytes are not a PNG image; for the reader's caller, who knows the file. */
export class PngFault extends Error {}
