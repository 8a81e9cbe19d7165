import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { loadViewHtml } from './load-view-html.ts';
import { findView, VIEW_EXTENSION_ID, VIEW_MIME_TYPE, type ViewDefinition, views } from './views.ts';

/** Views of the enabled tools. */
export function getOfferedViews(
  tools: readonly ToolDefinition[],
  { hasCards }: { hasCards: boolean },
): readonly ViewDefinition[] {
  return views.filter(
    (view) => (hasCards && view.name === 'confirm') || tools.some(({ name }) => view.tools.includes(name)),
  );
}

/** Links a tool to its view. Sent to every host: some declare views late or never, and others ignore it. */
export function getViewMeta({ name }: ToolDefinition): { _meta?: { ui: { resourceUri: string } } } {
  const view = findView(name);
  return view ? { _meta: { ui: { resourceUri: view.uri } } } : {};
}

/**
 * Links a tool that may ask for approval to the confirmation card, for hosts that show views. The card shows the action and
 * leads to the confirmation page; it can't approve anything itself.
 */
export const cardMeta = { ui: { resourceUri: views.find(({ name }) => name === 'confirm')?.uri } };

/** Returns whether a host declares that it shows views. */
export function declaresViews(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined;
  const extension = isObject(extensions) ? extensions[VIEW_EXTENSION_ID] : undefined;
  const types = isObject(extension) ? extension['mimeTypes'] : undefined;
  return Array.isArray(types) && types.includes(VIEW_MIME_TYPE);
}

export function registerViews(server: McpServer, offeredViews: readonly ViewDefinition[]): void {
  for (const { name, uri, title, description } of offeredViews)
    server.registerResource(`view_${name}`, uri, { title, description, mimeType: VIEW_MIME_TYPE }, async () => {
      const text = await loadViewHtml(name).catch(() => {
        throw new ProtocolError(
          ProtocolErrorCode.InternalError,
          'The views are not built. Run npm run build where the server is installed.',
        );
      });
      return { contents: [{ uri, mimeType: VIEW_MIME_TYPE, text, _meta: { ui: { prefersBorder: true } } }] };
    });
}
