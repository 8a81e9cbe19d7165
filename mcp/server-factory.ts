import { randomUUID } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  McpServer,
  type McpServerFactory,
  type ResourceTemplate,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { getTextField, isObject } from '../src/records/fields.ts';
import { version } from '../src/version.ts';
import type { Account, Accounts } from './account/account.ts';
import { resolveWorkspace, type Workspace, withWorkspaceArgument } from './account/workspaces.ts';
import type { ConfirmMode, Services } from './call/call-tool.ts';
import type { HostConnection } from './confirm/confirmable-call.ts';
import type { ConfirmationPage } from './confirm/confirmation-page.ts';
import { permissiveFormValidator } from './confirm/form-validator.ts';
import { icons } from './resources/icons.ts';
import { hostedInstructions, instructions, profileInstructions } from './resources/instructions.ts';
import { hasProfiledArguments, registerFieldNames } from './resources/profiled-fields.ts';
import { registerPrompts } from './resources/register-prompts.ts';
import { createResourceLink, registerResources } from './resources/register-resources.ts';
import { getOfferedResources } from './resources/resource-kinds.ts';
import { getOfferedWorkflows, getSkillFiles } from './resources/workflows.ts';
import { quoteText } from './result/quote.ts';
import type { FileTransfer } from './tool/file-transfer.ts';
import { passthroughSchema } from './tool/passthrough-schema.ts';
import { selectRequestedTools } from './toolset/requested-groups.ts';
import type { ToolDefinition } from './toolset/tool-definition.ts';
import { cardMeta, declaresViews, getOfferedViews, getViewMeta, registerViews } from './views/register-views.ts';

export interface ServerSettings {
  readonly tools: readonly ToolDefinition[];
  readonly services: Services;
  readonly accounts: Accounts;
  /** Key of requests that bring none (stdio, sandbox). */
  readonly apiKey: string | undefined;
  /** Workspaces that calls choose from; empty if the key decides. */
  readonly workspaces?: readonly Workspace[];
  /** Scopes that the host should request before it calls a tool; undefined if it has them. */
  readonly missingScopes?: (tool: ToolDefinition) => readonly [string, ...string[]] | undefined;
  /** The tool that the request calls, if known: then only this tool is registered. */
  readonly calledTool?: string | undefined;
  /** Confirmation pages of a local server. */
  readonly confirmationPage?: (account: Account) => ConfirmationPage;
  /** Pages of a hosted server for confirmations and files. They name the workspace if there are several. */
  readonly userPages?: (account: Account, workspace?: string) => UserPages;
}

export interface UserPages {
  readonly confirmationPage: ConfirmationPage;
  /** The sign-in: its approvals and declines are valid for no other. */
  readonly signIn: string;
  /** Name of the app that signed in. */
  readonly appName?: string;
  /** True if the app has no user: it would answer a form by itself. */
  readonly isAgent?: boolean;
  readonly fileTransfer: FileTransfer;
}

/** Arguments that hosts fill in with files from the chat. */
const FILE_META = { 'openai/fileParams': ['file', 'files'] };

/** The tool list changes only with the process. */
const LIST_CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

/** Hosts of older protocol revisions reject a result that contains a resource link. */
const RESOURCE_LINKS_SINCE_VERSION = '2025-06-18';

/** The tools, call handling and zod, imported on the first call. */
const importCallRuntime = () => Promise.all([import('./call/call-tool.ts'), import('./toolset/find-tool.ts')]);
let callRuntime: ReturnType<typeof importCallRuntime> | undefined;

/** Cached, because even a repeated import takes a noticeable part of a short call. */
function loadCallRuntime() {
  callRuntime ??= importCallRuntime();
  // A failure is not cached.
  callRuntime.catch(() => {
    callRuntime = undefined;
  });
  return callRuntime;
}

/** Creates the MCP servers of stdio and HTTP, for both protocol eras, with the tools that a connection asks for. */
export function createServerFactory(settings: ServerSettings): McpServerFactory {
  const createServer = createFactory(settings);
  return (request) => {
    const { tools, unknownGroups } = selectRequestedTools(settings.tools, request.requestInfo);
    return (tools === settings.tools ? createServer : createFactory({ ...settings, tools }, unknownGroups))(request);
  };
}

function createFactory(settings: ServerSettings, unknownGroups: readonly string[] = []): McpServerFactory {
  const { confirm, profile } = settings.services;
  const { workspaces = [] } = settings;
  const mayNeedConfirmation = (tool: ToolDefinition) =>
    tool.mayNeedConfirmation || (confirm === 'always' && !tool.annotations.readOnlyHint);
  // Cards, views and resource URIs do not name a workspace.
  const isSingle = workspaces.length === 0;
  const hasCards = isSingle && confirm !== 'off' && settings.tools.some(mayNeedConfirmation);
  const offeredViews = isSingle ? getOfferedViews(settings.tools, { hasCards }) : [];
  const offeredResources = isSingle ? getOfferedResources(settings.tools) : [];
  const calledTools = settings.tools.filter(({ name }) => name === settings.calledTool);
  const listsAllTools = calledTools.length === 0;
  const hasFieldNames = profile !== undefined && settings.tools.some(hasProfiledArguments);
  // A hosted server has a factory per request, and few requests list the tools.
  const listTools = (withCards: boolean) =>
    settings.tools.map((tool) => {
      const definition = toListedTool(tool, confirm);
      const needsPerson = mayNeedConfirmation(tool);
      const meta = {
        ...(definition as { readonly _meta?: object })._meta,
        ...(withCards && needsPerson ? cardMeta : {}),
        ...(settings.services.hostAsks && needsPerson ? { 'anthropic/requiresUserInteraction': true } : {}),
        ...(isObject(tool.inputSchema['properties']) && 'file' in tool.inputSchema['properties'] ? FILE_META : {}),
      };
      return {
        ...(isSingle ? definition : withWorkspaceArgument(definition, workspaces)),
        ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
      };
    });
  const workflows = getOfferedWorkflows(settings.tools);
  const formatInstructions = settings.userPages ? hostedInstructions : instructions;
  let skills: ReturnType<typeof loadSkills> | undefined;
  return async (request) => {
    const server = new McpServer(
      { name: 'docshare', title: 'Docshare', version, icons },
      {
        instructions: `${formatInstructions({ tools: settings.tools, confirm })}${formatFolders(settings)}${hasFieldNames ? profileInstructions : ''}${formatUnknownGroups(unknownGroups)}`,
        capabilities: {
          tools: { listChanged: false },
          ...(offeredResources.length + offeredViews.length + workflows.length > 0 || hasFieldNames
            ? { resources: { listChanged: false } }
            : {}),
          ...(workflows.length > 0 ? { prompts: { listChanged: false } } : {}),
        },
        jsonSchemaValidator: permissiveFormValidator,
        cacheHints: {
          'tools/list': LIST_CACHE_HINT,
          'prompts/list': LIST_CACHE_HINT,
          'resources/list': LIST_CACHE_HINT,
          'resources/templates/list': LIST_CACHE_HINT,
          'server/discover': LIST_CACHE_HINT,
        },
      },
    );
    removeInheritedNames(server);
    const account = settings.accounts.get(
      workspaces[0]?.apiKey ?? getBearerToken(request.requestInfo) ?? settings.apiKey,
    );
    const userPages = settings.userPages?.(account);
    const getClientCapabilities = (mcp: ServerContext): unknown => {
      if (request.era === 'legacy') return server.server.getClientCapabilities();
      const envelope: Readonly<Record<string, unknown>> = { ...mcp.mcpReq.envelope };
      return envelope[CLIENT_CAPABILITIES_META_KEY];
    };
    const isModern = request.era === 'modern';
    const connectionId = randomUUID();
    const getConnection = (
      mcp: ServerContext,
      { account, userPages }: { account: Account; userPages: UserPages | undefined },
    ): HostConnection => {
      const info = isModern ? getClientInfo(mcp) : server.server.getClientVersion();
      const capabilities = getClientCapabilities(mcp);
      return {
        // A host of the modern era has no connection: it is recognized by its sign-in, or by its name and key. A name that
        // each call chooses must not make the state grow.
        id: isModern
          ? (userPages?.signIn ?? `${account.fingerprint} ${JSON.stringify(info).slice(0, 100)}`)
          : connectionId,
        appName: userPages?.appName ?? getTextField(info, ['title', 'name']),
        era: request.era,
        supportsForms: userPages?.isAgent !== true && declaresFormElicitation(capabilities),
        // In the legacy era it needs a session, which a hosted server does not have.
        supportsUrls: (isModern || !userPages) && declaresUrlElicitation(capabilities),
        confirmationPage: userPages?.confirmationPage ?? settings.confirmationPage?.(account),
      };
    };
    const supportsResourceLinks = () =>
      request.era !== 'legacy' || (server.server.getNegotiatedProtocolVersion() ?? '') >= RESOURCE_LINKS_SINCE_VERSION;
    const chooseWorkspace = (input: unknown, mcp: ServerContext) => {
      const { workspace, args } = resolveWorkspace(input, workspaces);
      const { name, apiKey } = workspace;
      const chosen = settings.accounts.get(apiKey);
      const chosenPages = settings.userPages?.(chosen, name);
      const connection = getConnection(mcp, { account: chosen, userPages: chosenPages });
      return { workspace: name, args, account: chosen, connection, fileTransfer: chosenPages?.fileTransfer };
    };
    const call = async (tool: ToolDefinition, args: unknown, mcp: ServerContext) => {
      const [{ callTool }, { findTool }] = await loadCallRuntime();
      return callTool(findTool(tool), args, {
        services: settings.services,
        account,
        connection: getConnection(mcp, { account, userPages }),
        ...(isSingle ? {} : { chooseWorkspace: (input) => chooseWorkspace(input, mcp) }),
        mcp,
        signIn: userPages?.signIn,
        fileTransfer: userPages?.fileTransfer,
        createResourceLink: (created) =>
          isSingle && supportsResourceLinks() ? createResourceLink(settings.tools, created) : undefined,
      });
    };
    for (const tool of listsAllTools ? settings.tools : calledTools)
      server.registerTool(
        tool.name,
        { inputSchema: passthroughSchema, outputSchema: passthroughSchema, ...getScopeChallenge(tool, settings) },
        (args, mcp) => call(tool, args, mcp),
      );
    if (!listsAllTools) return server;
    // The SDK's own list is the same for all hosts.
    server.server.setRequestHandler('tools/list', (_, mcp) => ({
      tools: listTools(hasCards && declaresViews(getClientCapabilities(mcp))) as Tool[],
    }));
    if (isSingle) registerResources(server, { tools: settings.tools, account, shutdown: settings.services.shutdown });
    if (hasFieldNames) registerFieldNames(server, { tools: settings.tools, profile });
    registerViews(server, offeredViews);
    registerPrompts(server, workflows);
    if (workflows.length > 0) {
      skills ??= loadSkills(getSkillFiles(workflows));
      (await skills).attach(server);
    }
    limitUriLength(server);
    return server;
  };
}

/** Far longer than any ID. Longer texts would make a template throw, and the whole request fail. */
const MAX_URI_LENGTH = 2048;

function limitUriLength(server: McpServer): void {
  const templates: unknown = Reflect.get(server, '_registeredResourceTemplates');
  for (const { resourceTemplate } of Object.values(templates ?? {}) as { resourceTemplate: ResourceTemplate }[]) {
    const { uriTemplate } = resourceTemplate;
    const match = uriTemplate.match.bind(uriTemplate);
    uriTemplate.match = (uri) => (uri.length > MAX_URI_LENGTH ? null : match(uri));
  }
}

/** Skills are served beside the prompts, to hosts that let models choose a task. */
async function loadSkills(files: Readonly<Record<string, string>>) {
  const { memorySkillFiles, SkillsExtension } = await import('@modelcontextprotocol/server/ext/skills');
  return SkillsExtension.load(memorySkillFiles({ ...files }), { cacheHint: LIST_CACHE_HINT, strict: true });
}

function formatUnknownGroups(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `\n\nThis connection asks for unknown groups of tools: ${names.map((name) => quoteText(name, 40)).join(', ')}.`;
}

/** Folders of this machine that `path` may name. */
function formatFolders({ tools, userPages, services }: ServerSettings): string {
  const { folders } = services.files;
  const takesPath = tools.some(
    ({ inputSchema: { properties } }) => isObject(properties) && Object.hasOwn(properties, 'path'),
  );
  if (userPages || !takesPath || folders.length === 0) return '';
  const list = folders.join(', ');
  return `\n\nAllowed folders for path: ${list.length > MAX_FOLDERS_LENGTH ? `${list.slice(0, MAX_FOLDERS_LENGTH)}…` : list}`;
}

const MAX_FOLDERS_LENGTH = 100;

/** Makes `constructor` an unknown tool: the SDK looks names up in plain objects, which inherit it. */
function removeInheritedNames(server: McpServer): void {
  for (const map of ['_registeredTools', '_registeredPrompts']) {
    const names: unknown = Reflect.get(server, map);
    if (isObject(names)) Object.setPrototypeOf(names, null);
  }
}

/** Returns the JSON of a tool as hosts see it. */
export function toListedTool(tool: ToolDefinition, confirm: ConfirmMode): object {
  const { name, title, description, annotations, inputSchema, inputSchemaWithToken, outputSchema } = tool;
  const acceptsToken = tool.mayNeedConfirmation && confirm === 'unattended';
  const schemas = { inputSchema: (acceptsToken && inputSchemaWithToken) || inputSchema, outputSchema };
  return { name, title, description, annotations, ...getViewMeta(tool), ...schemas };
}

function getScopeChallenge(tool: ToolDefinition, { missingScopes }: ServerSettings) {
  const scopes = missingScopes?.(tool);
  return scopes ? { scopeChallenge: () => ({ scopes }) } : {};
}

function getBearerToken(request: Request | undefined): string | undefined {
  return request?.headers.get('authorization')?.match(/^bearer\s+(\S+)\s*$/i)?.[1];
}

function getClientInfo({ mcpReq }: ServerContext): unknown {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  return envelope[CLIENT_INFO_META_KEY] ?? null;
}

/** Forms are declared as `elicitation: {form: {}}`, or as an empty object in older protocol revisions. */
function declaresFormElicitation(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  if (!isObject(elicitation)) return false;
  return elicitation['form'] !== undefined || Object.keys(elicitation).length === 0;
}

function declaresUrlElicitation(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isObject(elicitation) && elicitation['url'] !== undefined;
}
