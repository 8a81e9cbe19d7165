import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import { isObject } from '../../src/answer/fields.ts';
import type { CardDecision } from '../call/ask-on-card.ts';
import { DECIDE_TOOL } from '../contract/asked.ts';
import { wireSchema } from '../contract/wire-schema.ts';
import type { ListedTool } from '../menu/listed-tool.ts';
import { VIEW_EXTENSION, VIEW_TYPE, views } from './view.ts';

type Answer = CallToolResult | InputRequiredResult;

/** A tool as it stands in the list. */
export interface Listing {
  readonly tool: ListedTool;
  readonly definition: object;
}

/**
 * Makes the acts of a menu ask on cards, at hosts that show views: there each links its card and takes no confirm_token,
 * and one more tool stands in the list, which hosts let views alone call. At all others the list is as without.
 */
export function registerCards(
  server: McpServer,
  options: {
    readonly listings: readonly Listing[];
    /** Whether calls of the tool may have to be confirmed. */
    readonly isAsked: (tool: ListedTool) => boolean;
    readonly showsCards: (mcp: ServerContext) => boolean;
    readonly answer: (
      tool: ListedTool,
      args: unknown,
      more: { decision: CardDecision; mcp: ServerContext },
    ) => Promise<Answer>;
    readonly refuse: (message: string) => Promise<CallToolResult>;
  },
): void {
  const { listings, isAsked, showsCards, answer, refuse } = options;
  const card = views.find(({ name }) => name === 'confirm');
  const decide = {
    name: DECIDE_TOOL,
    title: 'Answer a confirmation',
    description: 'For the card alone: passes a person’s answer on.',
    inputSchema: INPUT,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    _meta: { ui: { visibility: ['app'] } },
  };
  const withCards = listings.map(({ tool, definition }) =>
    isAsked(tool)
      ? {
          ...definition,
          inputSchema: tool.inputSchema,
          _meta: { ui: { resourceUri: card?.uri } },
        }
      : definition,
  );
  const lists = { plain: listings.map(({ definition }) => definition), cards: [...withCards, decide] };

  server.registerTool(
    DECIDE_TOOL,
    {
      title: decide.title,
      description: decide.description,
      inputSchema: wireSchema(INPUT),
      _meta: decide._meta,
    },
    async (given: unknown, mcp: ServerContext) => {
      const { token, tool: name, arguments: args, go } = isObject(given) ? given : {};
      const tool = listings.find(({ tool }) => tool.name === name && isAsked(tool))?.tool;
      if (!showsCards(mcp) || !tool || typeof token !== 'string' || typeof go !== 'boolean')
        return refuse('Only the card that a person sees can answer it. Nothing was done.');
      return answer(tool, args, { decision: { token, approved: go }, mcp });
    },
  );
  // The library’s own list is one for all hosts.
  server.server.setRequestHandler('tools/list', (_, mcp) => ({
    // Built from JSON that the tests hold to the protocol.
    tools: (showsCards(mcp) ? lists.cards : lists.plain) as Tool[],
  }));
}

/** Whether a host says that it shows views: then it also keeps from the model what is for views alone. */
export function declaresViews(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined;
  const views = isObject(extensions) ? extensions[VIEW_EXTENSION] : undefined;
  const types = isObject(views) ? views['mimeTypes'] : undefined;
  return Array.isArray(types) && types.includes(VIEW_TYPE);
}

const INPUT = {
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
