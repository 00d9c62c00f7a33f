/** Why bytes are no PNG; for the reader's caller, who knows the file. */
export class PngFault extends Error {}
