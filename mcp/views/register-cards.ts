import type { McpServer, ServerContext, Tool } from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { VIEW_EXTENSION_ID, VIEW_MIME_TYPE, views } from './views.ts';

export interface ListedDefinition {
  readonly tool: ToolDefinition;
  readonly definition: object;
}

/**
 * Links tools that may ask for approval to the confirmation card, for hosts that show views. The card shows the action and
 * leads to the confirmation page; it can't approve anything itself. For other hosts nothing changes.
 */
export function registerCards(
  server: McpServer,
  options: {
    readonly listings: readonly ListedDefinition[];
    readonly mayNeedConfirmation: (tool: ToolDefinition) => boolean;
    readonly supportsCards: (mcp: ServerContext) => boolean;
  },
): void {
  const { listings, mayNeedConfirmation, supportsCards } = options;
  const card = views.find(({ name }) => name === 'confirm');
  const withoutCards = listings.map(({ definition }) => definition);
  const withCards = listings.map(({ tool, definition }) =>
    mayNeedConfirmation(tool) ? { ...definition, _meta: { ui: { resourceUri: card?.uri } } } : definition,
  );
  // The SDK's own list is the same for all hosts.
  server.server.setRequestHandler('tools/list', (_, mcp) => ({
    tools: (supportsCards(mcp) ? withCards : withoutCards) as Tool[],
  }));
}

/** Returns whether a host declares that it shows views. */
export function declaresViews(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined;
  const views = isObject(extensions) ? extensions[VIEW_EXTENSION_ID] : undefined;
  const types = isObject(views) ? views['mimeTypes'] : undefined;
  return Array.isArray(types) && types.includes(VIEW_MIME_TYPE);
}
