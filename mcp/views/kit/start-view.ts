/** Frame of all views: theme, loading state and errors. */
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import { connectToHost, type HostBridge, type HostContext, type HostToolResult } from './bridge.ts';
import { html } from './element.ts';
import { createFormatter, type Formatter, toPlainLine } from './formatter.ts';

export interface ViewContext {
  readonly host: HostBridge;
  readonly formatter: Formatter;
  readonly meta: JsonObject;
}

/** Starts a view that renders tool results. */
export function startView(name: string, render: (data: JsonObject, viewContext: ViewContext) => Node): void {
  const container = html('main', { 'aria-live': 'polite' }, html('p.soft', 'Loading…'));
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
      // Falls back to the message below.
    }
    return html('p.soft', 'This result can’t be displayed here. See the chat.');
  };
  connectToHost(name, {
    onResult: show,
    onCancelled: () => container.replaceChildren(html('p.soft', 'The call was cancelled.')),
    onContext(next) {
      hostContext = next;
      applyTheme(next);
    },
  }).catch(() =>
    container.replaceChildren(html('p', 'The connection to the host failed. See the result in the chat.')),
  );
}

/** Structured result; some hosts only pass on the same data as text. */
export function getStructuredContent({ structuredContent, content }: HostToolResult): JsonObject | undefined {
  if (isObject(structuredContent)) return structuredContent;
  for (const { text } of content ?? []) {
    try {
      const parsed: unknown = JSON.parse(text ?? '');
      if (isObject(parsed)) return parsed;
    } catch {
      // Not JSON.
    }
  }
  return undefined;
}

export function renderFailure(data: JsonObject | undefined): Node {
  const error = isObject(data?.['error']) ? data['error'] : data;
  const message =
    typeof error?.['message'] === 'string' ? error['message'] : 'The call failed. See the chat for details.';
  return html('p', { class: 'bad', role: 'alert' }, toPlainLine(message));
}

function applyTheme({ theme, styles, locale }: HostContext): void {
  const root = document.documentElement;
  const systemTheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset['theme'] = theme === 'dark' || theme === 'light' ? theme : systemTheme;
  if (typeof locale === 'string') root.lang = locale;
  // Only fonts: host colors differ in meaning, and ours guarantee contrast.
  const font = styles?.variables?.['--font-sans'];
  if (typeof font === 'string') root.style.setProperty('--font-sans', font);
}
