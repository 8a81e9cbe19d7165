import type { CallToolResult, InputRequiredResult, McpServer, ServerContext, Tool } from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';
import type { CardDecision } from '../confirm/card-channel.ts';
import { DECISION_TOOL } from '../confirm/card-request.ts';
import { toPassthroughSchema } from '../tool/passthrough-schema.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { VIEW_EXTENSION_ID, VIEW_MIME_TYPE, views } from './views.ts';

type DecisionResult = CallToolResult | InputRequiredResult;

export interface ListedDefinition {
  readonly tool: ToolDefinition;
  readonly definition: object;
}

/**
 * Makes tools confirm on cards for hosts that show views. There each links its card and takes no confirm_token, and the
 * list has one more tool, which only views can call. For other hosts nothing changes.
 */
export function registerCards(
  server: McpServer,
  options: {
    readonly listings: readonly ListedDefinition[];
    readonly mayNeedConfirmation: (tool: ToolDefinition) => boolean;
    readonly supportsCards: (mcp: ServerContext) => boolean;
    readonly callTool: (
      tool: ToolDefinition,
      args: unknown,
      request: { decision: CardDecision; mcp: ServerContext },
    ) => Promise<DecisionResult>;
    readonly rejectDecision: (message: string) => Promise<CallToolResult>;
  },
): void {
  const { listings, mayNeedConfirmation, supportsCards, callTool, rejectDecision } = options;
  const card = views.find(({ name }) => name === 'confirm');
  const decisionTool = {
    name: DECISION_TOOL,
    title: 'Answer confirmation',
    description: 'Only for the confirmation card: submits the user’s decision.',
    inputSchema: DECISION_INPUT_SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    _meta: { ui: { visibility: ['app'] } },
  };
  const withCards = listings.map(({ tool, definition }) =>
    mayNeedConfirmation(tool)
      ? { ...definition, inputSchema: tool.inputSchema, _meta: { ui: { resourceUri: card?.uri } } }
      : definition,
  );
  const toolLists = {
    withoutCards: listings.map(({ definition }) => definition),
    withDecisionTool: [...withCards, decisionTool],
  };

  server.registerTool(
    DECISION_TOOL,
    {
      title: decisionTool.title,
      description: decisionTool.description,
      inputSchema: toPassthroughSchema(DECISION_INPUT_SCHEMA),
      _meta: decisionTool._meta,
    },
    async (input: unknown, mcp: ServerContext) => {
      const { token, tool: name, arguments: args, approved } = isObject(input) ? input : {};
      const tool = listings.find(({ tool }) => tool.name === name && mayNeedConfirmation(tool))?.tool;
      if (!supportsCards(mcp) || !tool || typeof token !== 'string' || typeof approved !== 'boolean')
        return rejectDecision('Only the confirmation card can call this tool. Nothing was done.');
      return callTool(tool, args, { decision: { token, approved }, mcp });
    },
  );
  // The SDK's own list is the same for all hosts.
  server.server.setRequestHandler('tools/list', (_, mcp) => ({
    tools: (supportsCards(mcp) ? toolLists.withDecisionTool : toolLists.withoutCards) as Tool[],
  }));
}

/** Returns whether a host declares that it shows views, and so keeps their data from the model. */
export function declaresViews(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined;
  const views = isObject(extensions) ? extensions[VIEW_EXTENSION_ID] : undefined;
  const types = isObject(views) ? views['mimeTypes'] : undefined;
  return Array.isArray(types) && types.includes(VIEW_MIME_TYPE);
}

const DECISION_INPUT_SCHEMA = {
  type: 'object' as const,
  properties: {
    token: { type: 'string' },
    tool: { type: 'string' },
    arguments: { type: 'object' },
    approved: { type: 'boolean' },
  },
  required: ['token', 'tool', 'arguments', 'approved'],
  additionalProperties: false,
};
