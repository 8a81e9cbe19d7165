import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';
import type { CardDecision } from '../confirm/card-channel.ts';
import { DECISION_TOOL } from '../confirm/card-request.ts';
import { toPassthroughSchema } from '../tool/passthrough-schema.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { VIEW_EXTENSION_ID, VIEW_MIME_TYPE, views } from './views.ts';

type DecisionResult = CallToolResult | InputRequiredResult;

/** A tool as it stands in the list. */
export interface ListedDefinition {
  readonly tool: ToolDefinition;
  readonly definition: object;
}

/**
 * Makes the acts of a menu ask on cards, at hosts that show views: there each links its card and takes no confirm_token,
 * and one more tool stands in the list, which hosts let views alone call. At all others the list is as without.
 */
export function registerCards(
  server: McpServer,
  options: {
    readonly listings: readonly ListedDefinition[];
    /** Whether calls of the tool may have to be confirmed. */
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
    title: 'Answer a confirmation',
    description: 'For the card alone: passes a person’s answer on.',
    inputSchema: DECISION_INPUT_SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    _meta: { ui: { visibility: ['app'] } },
  };
  const withCards = listings.map(({ tool, definition }) =>
    mayNeedConfirmation(tool)
      ? {
          ...definition,
          inputSchema: tool.inputSchema,
          _meta: { ui: { resourceUri: card?.uri } },
        }
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
      const { token, tool: name, arguments: args, go } = isObject(input) ? input : {};
      const tool = listings.find(({ tool }) => tool.name === name && mayNeedConfirmation(tool))?.tool;
      if (!supportsCards(mcp) || !tool || typeof token !== 'string' || typeof go !== 'boolean')
        return rejectDecision('Only the card that a person sees can answer it. Nothing was done.');
      return callTool(tool, args, { decision: { token, approved: go }, mcp });
    },
  );
  // The library’s own list is one for all hosts.
  server.server.setRequestHandler('tools/list', (_, mcp) => ({
    // Built from JSON that the tests hold to the protocol.
    tools: (supportsCards(mcp) ? toolLists.withDecisionTool : toolLists.withoutCards) as Tool[],
  }));
}

/** Whether a host says that it shows views: then it also keeps from the model what is for views alone. */
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
    go: { type: 'boolean' },
  },
  required: ['token', 'tool', 'arguments', 'go'],
  additionalProperties: false,
};
