/** The frame that all views share: theme, waiting, errors, and a redraw when the host's place changes. */
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import { connect, type HostBridge, type HostContext, type HostToolResult } from './bridge.ts';
import { html } from './element.ts';
import { createFormatter, type Formatter, toPlainLine } from './formatter.ts';

export interface ViewContext {
  readonly host: HostBridge;
  readonly formatter: Formatter;
  readonly meta: JsonObject;
}

/** Starts a view: `render` gives what to show for an answer. */
export function startView(name: string, render: (data: JsonObject, viewContext: ViewContext) => Node): void {
  const container = html(
    'main',
    { 'aria-live': 'polite' },
    html('p', { class: 'soft' }, 'Waiting for the answer…'),
  );
  document.body.append(container);
  let hostContext: HostContext = {};

  const show = (result: HostToolResult, host: HostBridge) => {
    container.replaceChildren(renderResult(result, host));
  };
  const renderResult = (result: HostToolResult, host: HostBridge): Node => {
    try {
      const data = getStructuredContent(result);
      if (result.isError === true || isObject(data?.['error'])) return renderFailure(data);
      const meta = isObject(result._meta) ? result._meta : {};
      if (data) return render(data, { host, formatter: createFormatter(hostContext), meta });
    } catch {
      // An answer of no known shape is read in the chat, and the view waits for none.
    }
    return html('p', { class: 'soft' }, 'This answer can’t be shown here; it stands in the chat.');
  };
  connect(name, {
    onResult: show,
    onCancelled: () => container.replaceChildren(html('p', { class: 'soft' }, 'The call was cancelled.')),
    onContext(next) {
      hostContext = next;
      applyTheme(next);
    },
  }).catch(() =>
    container.replaceChildren(
      html('p', {}, 'This host did not answer the view. The text in the chat is whole.'),
    ),
  );
}

/** The structured answer; hosts that drop it still hand on the same as text. */
function getStructuredContent({ structuredContent, content }: HostToolResult): JsonObject | undefined {
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

function renderFailure(data: JsonObject | undefined): Node {
  const error = isObject(data?.['error']) ? data['error'] : data;
  const message = typeof error?.['message'] === 'string' ? error['message'] : 'It failed; the chat says why.';
  return html('p', { class: 'bad', role: 'alert' }, toPlainLine(message));
}

function applyTheme({ theme, styles, locale }: HostContext): void {
  const root = document.documentElement;
  const systemTheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset['theme'] = theme === 'dark' || theme === 'light' ? theme : systemTheme;
  if (typeof locale === 'string') root.lang = locale;
  // Fonts only: a host's colours differ in what they stand for, and ours keep their contrast.
  const font = styles?.variables?.['--font-sans'];
  if (typeof font === 'string') root.style.setProperty('--font-sans', font);
}
