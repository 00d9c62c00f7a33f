/** A version as the server keeps it. */
export interface SavedVersion {
  n: number;
  saved_at: string;
  saved_by: string | null;
  note: string | null;
  restores: number | null;
}

/** What `GET /api/scenarios/{id}` answers. */
export interface ServedText {
  id: string;
  file: string;
  text: string;
  etag: string;
  version: SavedVersion | null;
}

/** A text in the editor, and what it is based on. */
export interface EditedText {
  readonly id: string;
  readonly file: string;
  /** With LF, as the editor counts. */
  readonly saved: string;
  /** Line end of the file, put back when it is saved. */
  readonly lineEnd: string;
  /** Null: the scenario does not exist so far. */
  readonly etag: string | null;
  readonly version: SavedVersion | null;
}

export const withLf = (text: string): string => text.replace(/\r\n?/g, '\n');

export const editedText = ({ id, file, text, etag, version }: ServedText): EditedText => ({
  id,
  file,
  saved: withLf(text),
  lineEnd: /\r\n|\r|\n/.exec(text)?.[0] ?? '\n',
  etag,
  version,
});

/** A scenario that is begun here. @param folder of the scenarios */
export const newText = (id: string, folder: string): EditedText => ({
  id,
  file: `${folder}/${id}.oql`,
  saved: '',
  lineEnd: '\n',
  etag: null,
  version: null,
});

export const TEMPLATE = "GOAL:\n  SET NAME ''\n  CHECK ";

export const addressOfText = (id: string): string => `/api/scenarios/${encodeURIComponent(id)}`;

/** Texts that were changed and not saved, by id: kept while the page is open, so that another view loses nothing. */
export const drafts = new Map<string, { readonly base: EditedText; readonly text: string }>();
