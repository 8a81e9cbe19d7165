import {
  CLIENT_CAPABILITIES_META_KEY,
  McpServer,
  type McpServerFactory,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject } from '../src/answer/fields.ts';
import { version } from '../src/version.ts';
import type { Account, Accounts } from './account/account.ts';
import type { ConfirmMode, Services } from './call/call-tool.ts';
import { acceptAnyForm } from './call/form-validator.ts';
import type { ElicitationChannel } from './call/gate.ts';
import type { ConfirmationPage } from './call/page-door.ts';
import type { HandOverDoor } from './contract/hand-over.ts';
import { wireSchema } from './contract/wire-schema.ts';
import type { ListedTool } from './menu/listed-tool.ts';
import { icons } from './resources/icons.ts';
import { hostedInstructions, instructions, learnedInstructions } from './resources/instructions.ts';
import { registerLearnedNames, takesNames } from './resources/learned-names.ts';
import { jobsFor, registerPrompts } from './resources/prompts.ts';
import { linkTo, registerResources, resourcesFor } from './resources/resources.ts';
import { declaresViews, type Listing, registerCards } from './views/register-cards.ts';
import { getViewMeta, registerViews, viewsFor } from './views/register-views.ts';

export interface ServerSettings {
  readonly tools: readonly ListedTool[];
  readonly services: Services;
  readonly accounts: Accounts;
  /** The key of every request where none comes with it (stdio, sandbox). */
  readonly apiKey: string | undefined;
  /** The scopes that a host should ask the person for before it calls a tool; undefined where it has them. */
  readonly missingScopes?: (tool: ListedTool) => readonly [string, ...string[]] | undefined;
  /** The one tool that the request calls, where that is known: nothing else of the menu is made ready for it. */
  readonly called?: string | undefined;
  /** What a hosted server adds to a request: pages for what needs a person or a file. */
  readonly pages?: (account: Account) => Pages;
}

export interface Pages {
  /** In place of tokens: no answer then carries anything that a model could spend. */
  readonly confirm: Pick<ConfirmationPage, 'openQuestion'>;
  readonly handOver: HandOverDoor;
}

/** The list changes only with the process, so hosts may keep it for an hour. */
const LIST_HINT = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

/** The revision of the protocol that brought links to resources: an older host refuses a whole result that holds one. */
const LINKS_SINCE = '2025-06-18';

let calls: Promise<typeof import('./menu/call-listed.ts')> | undefined;

/** Asked for once: even of a module that is there, an import takes a part of a short call. */
function loadCalls() {
  calls ??= import('./menu/call-listed.ts');
  // What failed is tried again.
  calls.catch(() => {
    calls = undefined;
  });
  return calls;
}

/** The factory of both entries (stdio and HTTP) and both eras of the protocol. */
export function createServerFactory(settings: ServerSettings): McpServerFactory {
  const { confirm, profile } = settings.services;
  const isAsked = (tool: ListedTool) => tool.gated || (confirm === 'always' && !tool.hints.readOnlyHint);
  const cards = (confirm === 'auto' || confirm === 'always') && settings.tools.some(isAsked);
  const offered = viewsFor(settings.tools, { cards });
  const called = settings.tools.filter(({ name }) => name === settings.called);
  const isWhole = called.length === 0;
  const hasNames = profile !== undefined && settings.tools.some(takesNames);
  return (request) => {
    const server = new McpServer(
      { name: 'docshare', title: 'Docshare', version, icons },
      {
        instructions: `${settings.pages ? hostedInstructions : instructions}${hasNames ? learnedInstructions : ''}`,
        capabilities: {
          tools: { listChanged: false },
          ...(resourcesFor(settings.tools).length + offered.length > 0 || hasNames
            ? { resources: { listChanged: false } }
            : {}),
          ...(jobsFor(settings.tools).length > 0 ? { prompts: { listChanged: false } } : {}),
        },
        jsonSchemaValidator: acceptAnyForm,
        cacheHints: {
          'tools/list': LIST_HINT,
          'prompts/list': LIST_HINT,
          'resources/list': LIST_HINT,
          'resources/templates/list': LIST_HINT,
          'server/discover': LIST_HINT,
        },
      },
    );
    forgetInherited(server);
    const account = settings.accounts.get(getBearerToken(request.requestInfo) ?? settings.apiKey);
    const pages = settings.pages?.(account);
    const getClientCapabilities = (mcp: ServerContext): unknown => {
      if (request.era === 'legacy') return server.server.getClientCapabilities();
      const envelope: Readonly<Record<string, unknown>> = { ...mcp.mcpReq.envelope };
      return envelope[CLIENT_CAPABILITIES_META_KEY];
    };
    const forms: ElicitationChannel = {
      era: request.era,
      // One grant may be told not to trust what its host says of itself.
      supportsForms: (mcp) => confirm !== 'token' && declaresForms(getClientCapabilities(mcp)),
      supportsCards: (mcp) => cards && declaresViews(getClientCapabilities(mcp)),
      // In the older era a host is told of an address in mid-call, which takes a session.
      confirmationPage: pages && {
        ...pages.confirm,
        supportsUrlElicitation: (mcp) =>
          request.era === 'modern' && declaresAddresses(getClientCapabilities(mcp)),
      },
    };
    const { supportsCards: _, ...formsAlone } = forms;
    const takesLinks = () =>
      request.era !== 'legacy' || (server.server.getNegotiatedProtocolVersion() ?? '') >= LINKS_SINCE;
    const call = async (
      tool: ListedTool,
      args: unknown,
      asked: { mcp: ServerContext; forms: ElicitationChannel },
    ) => {
      const { callTool, findTool } = await loadCalls();
      return callTool(findTool(tool), args, {
        services: settings.services,
        account,
        fileTransfer: pages?.handOver,
        createResourceLink: (made) => (takesLinks() ? linkTo(settings.tools, made) : undefined),
        ...asked,
      });
    };
    const listings = (isWhole ? settings.tools : called).map((tool): Listing => {
      const inputSchema = pages ? tool.inputSchema : getListedInputSchema(tool, confirm);
      const { name, title, description, outputSchema } = tool;
      const shown = { title, description, annotations: tool.hints, ...getViewMeta(tool) };
      server.registerTool(
        name,
        {
          ...shown,
          inputSchema: wireSchema(inputSchema),
          outputSchema: wireSchema(outputSchema),
          ...getScopeChallenge(tool, settings),
        },
        // What asks only where its outcome is in doubt links no card: nobody would see one.
        (args, mcp) => call(tool, args, { mcp, forms: isAsked(tool) ? forms : formsAlone }),
      );
      return { tool, definition: { name, ...shown, inputSchema, outputSchema } };
    });
    if (!isWhole) return server;
    if (cards)
      registerCards(server, {
        listings,
        isAsked,
        showsCards: (mcp) => forms.supportsCards?.(mcp) === true,
        answer: (tool, args, { decision, mcp }) => call(tool, args, { mcp, forms: { ...forms, decision } }),
        refuse: async (message) => {
          const { failureResult } = await import('./answer/failure.ts');
          return failureResult({ code: 'not_confirmed', message });
        },
      });
    registerResources(server, { tools: settings.tools, account, end: settings.services.shutdown });
    if (profile) registerLearnedNames(server, { tools: settings.tools, profile });
    registerViews(server, offered);
    registerPrompts(server, settings.tools);
    return server;
  };
}

/**
 * The SDK looks names up in plain objects, where `constructor` is found although nobody registered it: it would be
 * "disabled" instead of unknown. Its maps are private, and empty here.
 */
function forgetInherited(server: McpServer): void {
  for (const map of ['_registeredTools', '_registeredPrompts']) {
    const names: unknown = Reflect.get(server, map);
    if (isObject(names)) Object.setPrototypeOf(names, null);
  }
}

/** A tool lists a confirm_token where its calls may have to be confirmed. */
function getListedInputSchema(
  { gated, inputSchema, confirmedSchema }: ListedTool,
  confirm: ConfirmMode,
): object {
  return gated || confirm === 'always' ? (confirmedSchema ?? inputSchema) : inputSchema;
}

function getScopeChallenge(tool: ListedTool, { missingScopes }: ServerSettings) {
  const scopes = missingScopes?.(tool);
  return scopes ? { scopeChallenge: () => ({ scopes }) } : {};
}

function getBearerToken(request: Request | undefined): string | undefined {
  return request?.headers.get('authorization')?.match(/^bearer\s+(\S+)\s*$/i)?.[1];
}

/** Forms are declared as `elicitation: {form: {}}`, or by an empty object, as before there were other modes. */
function declaresForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  if (!isObject(elicitation)) return false;
  return elicitation['form'] !== undefined || Object.keys(elicitation).length === 0;
}

function declaresAddresses(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isObject(elicitation) && elicitation['url'] !== undefined;
}
