/** A decoded image. */
export interface Pixels {
  width: number;
  height: number;
  /** RGB, row by row, three bytes a pixel. */
  data: Uint8Array;
}
