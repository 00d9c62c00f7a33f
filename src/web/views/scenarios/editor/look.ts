import { EditorView } from '@codemirror/view';

/** The look of the editor from the tokens of the page, which reach into the shadow root. */
export const look = EditorView.theme({
  '&': {
    fontSize: 'var(--text-s)',
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
  },
  '&.cm-focused': { outline: '3px solid var(--focus)', outlineOffset: '1px' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.6',
    minHeight: '16rem',
    maxHeight: '65vh',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--line) 25%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 30%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    maxWidth: '36rem',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '6px var(--space-2)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--action)',
    color: 'var(--action-text)',
  },
  '.cm-about': { padding: 'var(--space-2) var(--space-3)', display: 'grid', gap: 'var(--space-1)' },
  // Their glyphs are in few fonts.
  '.cm-collapsedLines': { color: 'var(--text)', background: 'var(--surface)', padding: 'var(--space-2)' },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"…"', margin: '0 var(--space-2)' },
  '.cm-about p': { margin: '0' },
  '.cm-about code': { fontFamily: 'var(--font-mono)', whiteSpace: 'pre' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', borderLeftWidth: '5px' },
  '.cm-diagnosticAction': {
    minHeight: 'var(--touch)',
    padding: '0 var(--space-3)',
    backgroundColor: 'var(--action)',
    color: 'var(--action-text)',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--plot-limit) 2px' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline dashed 2px' },
  '.cm-lintRange-info': { backgroundImage: 'none', textDecoration: 'underline dotted 2px' },
});
