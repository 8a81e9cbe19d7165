/** The frame that all views share: theme, waiting, errors, and a redraw when the host's place changes. */
import { isObject, type JsonObject } from '../../../src/answer/fields.ts';
import { connect, type Host, type HostContext, type ToolResult } from './bridge.ts';
import { html } from './element.ts';
import { createWording, plainText, type Wording } from './wording.ts';

export interface Scene {
  readonly host: Host;
  readonly wording: Wording;
  readonly meta: JsonObject;
}

/** Starts a view: `draw` gives what to show for an answer. */
export function start(name: string, draw: (answer: JsonObject, scene: Scene) => Node): void {
  const main = html(
    'main',
    { 'aria-live': 'polite' },
    html('p', { class: 'soft' }, 'Waiting for the answer…'),
  );
  document.body.append(main);
  let context: HostContext = {};

  const show = (result: ToolResult, host: Host) => {
    main.replaceChildren(drawn(result, host));
  };
  const drawn = (result: ToolResult, host: Host): Node => {
    try {
      const answer = getStructuredContent(result);
      if (result.isError === true || isObject(answer?.['error'])) return failure(answer);
      const meta = isObject(result._meta) ? result._meta : {};
      if (answer) return draw(answer, { host, wording: createWording(context), meta });
    } catch {
      // An answer of no known shape is read in the chat, and the view waits for none.
    }
    return html('p', { class: 'soft' }, 'This answer can’t be shown here; it stands in the chat.');
  };
  connect(name, {
    result: show,
    cancelled: () => main.replaceChildren(html('p', { class: 'soft' }, 'The call was cancelled.')),
    context(next) {
      context = next;
      applyTheme(next);
    },
  }).catch(() =>
    main.replaceChildren(html('p', {}, 'This host did not answer the view. The text in the chat is whole.')),
  );
}

/** The structured answer; hosts that drop it still hand on the same as text. */
function getStructuredContent({ structuredContent, content }: ToolResult): JsonObject | undefined {
  if (isObject(structuredContent)) return structuredContent;
  for (const { text } of content ?? []) {
    try {
      const parsed: unknown = JSON.parse(text ?? '');
      if (isObject(parsed)) return parsed;
    } catch {
      // Not the JSON half of the answer.
    }
  }
  return undefined;
}

function failure(answer: JsonObject | undefined): Node {
  const error = isObject(answer?.['error']) ? answer['error'] : answer;
  const message = typeof error?.['message'] === 'string' ? error['message'] : 'It failed; the chat says why.';
  return html('p', { class: 'bad', role: 'alert' }, plainText(message));
}

function applyTheme({ theme, styles, locale }: HostContext): void {
  const root = document.documentElement;
  const own = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset['theme'] = theme === 'dark' || theme === 'light' ? theme : own;
  if (typeof locale === 'string') root.lang = locale;
  // Fonts only: a host's colours differ in what they stand for, and ours keep their contrast.
  const font = styles?.variables?.['--font-sans'];
  if (typeof font === 'string') root.style.setProperty('--font-sans', font);
}
