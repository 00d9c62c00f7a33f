import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { type Diagnostic as Shown, setDiagnostics } from '@codemirror/lint';
import { type EditorView, hoverTooltip, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { messages } from '../../../messages/index.ts';
import type { LanguageClient } from '../language/language-client.ts';
import type { Hover, ShownFinding } from '../language/protocol.ts';

export interface Assistance {
  readonly client: LanguageClient;
  /** Absolute path of the file. */
  readonly file: string;
  /** Called with the findings of the present text; undefined and the reason when it cannot be checked. */
  onFindings(findings: readonly ShownFinding[] | undefined, fault?: string): void;
}

/** Time without a change after which the text is checked, ms. */
const QUIET_MS = 400;

const KINDS = {
  command: 'keyword',
  block: 'class',
  metadata: 'property',
  actuator: 'constant',
  sensor: 'constant',
  variable: 'variable',
  macro: 'function',
  goal: 'text',
  unit: 'type',
  value: 'enum',
  file: 'text',
} as const;

const SEVERITY = { error: 'error', warning: 'warning', info: 'info' } as const;

/** Findings, completion and hover by the language worker. Answers about a text that has changed meanwhile are dropped. */
export const assistance = (parts: Assistance) => [
  checking(parts),
  autocompletion({ override: [(context) => complete(parts, context)], icons: false }),
  hoverTooltip(async (view, offset) => {
    const about = await ask(parts, view, 'hover', offset);
    return about && { pos: about.from, end: about.to, create: () => ({ dom: aboutDom(about) }) };
  }),
];

async function ask(
  { client, file }: Assistance,
  view: EditorView,
  method: 'hover',
  offset: number,
): Promise<Hover | null> {
  const before = view.state.doc;
  const answer = await client.ask(method, { file, text: before.toString(), offset }).catch(() => null);
  return view.state.doc.eq(before) ? answer : null;
}

async function complete(
  { client, file }: Assistance,
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  if (!explicit && !context.matchBefore(/[\p{L}\p{N}_'"[.-]+|\s/u)) return null;
  const { from, items } = await client
    .ask('completion', { file, text: state.doc.toString(), offset: pos })
    .catch(() => ({ from: pos, items: [] }));
  if (items.length === 0) return null;
  return {
    from,
    options: items.map(({ label, kind, detail, documentation, text }) => ({
      label,
      apply: text,
      type: KINDS[kind],
      ...(detail === undefined || detail === label ? {} : { detail }),
      ...(documentation === undefined ? {} : { info: documentation }),
    })),
    validFor: /^[\p{L}\p{N}_.-]*$/u,
  };
}

/** What is known about a word: every part is text. */
function aboutDom({ signature, sentences, examples }: Hover): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-about';
  dom.lang = 'en';
  const add = (name: string, text: string) => {
    const element = document.createElement(name);
    element.textContent = text;
    dom.append(element);
  };
  add('code', signature);
  for (const sentence of sentences) add('p', sentence);
  for (const example of examples) add('code', example);
  return dom;
}

const checking = ({ client, file, onFindings }: Assistance) =>
  ViewPlugin.fromClass(
    class {
      readonly #view: EditorView;
      #timer: ReturnType<typeof setTimeout> | undefined;

      constructor(view: EditorView) {
        this.#view = view;
        this.#checkIn(0);
      }

      update({ docChanged }: ViewUpdate): void {
        if (docChanged) this.#checkIn(QUIET_MS);
      }

      destroy(): void {
        clearTimeout(this.#timer);
      }

      #checkIn(ms: number): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#check(), ms);
      }

      async #check(): Promise<void> {
        const { doc } = this.#view.state;
        try {
          const findings = await client.ask('findings', { file, text: doc.toString() });
          if (!this.#view.state.doc.eq(doc)) return;
          this.#view.dispatch(setDiagnostics(this.#view.state, findings.map(shown)));
          onFindings(findings);
        } catch (thrown) {
          onFindings(undefined, thrown instanceof Error ? thrown.message : String(thrown));
        }
      }
    },
  );

/** What the finding means, where the page knows that in its own language, and its words. */
function said({ code, message }: ShownFinding['diagnostic']): HTMLElement {
  const dom = document.createElement('span');
  const meaning = messages.value.findings[code];
  const original = document.createElement('span');
  original.lang = 'en';
  original.textContent = message;
  dom.append(...(meaning === undefined ? [] : [`${meaning} `]), original);
  return dom;
}

const shown = ({ from, to, diagnostic, fixes }: ShownFinding): Shown => ({
  from,
  to,
  severity: SEVERITY[diagnostic.severity],
  source: diagnostic.code,
  message: diagnostic.message,
  renderMessage: () => said(diagnostic),
  actions: fixes.map(({ title, edit }) => ({
    name: title,
    apply: (view) => view.dispatch({ changes: { from: edit.from, to: edit.to, insert: edit.text } }),
  })),
});
