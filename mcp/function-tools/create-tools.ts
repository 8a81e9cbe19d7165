import { join } from 'node:path';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { findClosestMatch } from '../../src/did-you-mean.ts';
import { InputError } from '../../src/errors.ts';
import { parseJsonExact } from '../../src/exact-json.ts';
import { createAccounts } from '../account/account.ts';
import { createLog } from '../audit/log.ts';
import { callTool } from '../call/call-tool.ts';
import { createIdempotencyStore } from '../call/idempotency.ts';
import { createConfirmation } from '../confirm/confirm.ts';
import { createFileAccess } from '../files/file-access.ts';
import { createSecretStore } from '../files/secret-store.ts';
import { getHomeFolder } from '../home-folder.ts';
import { functionInstructions, profileInstructions } from '../resources/instructions.ts';
import { toFailureResult } from '../result/describe-failure.ts';
import { resolveAllowedFolders } from '../server/allowed-folders.ts';
import { loadProfile } from '../server/load-profile.ts';
import { selectToolset } from '../server/select-toolset.ts';
import { createStateProvider } from '../state/state-provider.ts';
import { findTool } from '../toolset/find-tool.ts';
import { checkToolsOptions } from './check-options.ts';
import { formatForProviders } from './provider-formats.ts';
import type { ToolCallResult, Tools, ToolsOptions } from './tools.ts';

export type * from './tools.ts';

/**
 * Creates the tools of the MCP server for a program that calls a model itself, with the same arguments, results and rules
 * about approval.
 * @throws InputError for a missing key or URL, an unknown option, name or folder, or an option of the wrong type
 */
export async function createTools(options: ToolsOptions = {}): Promise<Tools> {
  checkToolsOptions(options);
  const apiKey = (options.apiKey ?? process.env['DOCSHARE_API_KEY'])?.trim();
  const baseUrl = (options.baseUrl ?? process.env['DOCSHARE_BASE_URL'])?.trim();
  if (!apiKey)
    throw new InputError('No API key: set DOCSHARE_API_KEY or pass apiKey. Create a key in Settings → API keys.');
  if (!baseUrl)
    throw new InputError('No base URL: set DOCSHARE_BASE_URL or pass baseUrl. Use the URL that ends in /api/v1.');
  const { confirm = 'auto', readOnly = false, state: folder, approve, actionsPerHour } = options;
  const { profile, catalog } = options.baseUrl === undefined ? await loadProfile(process.env) : {};
  const { tools, readableGroups } = selectToolset({ ...options, readOnly, catalog });
  const state = createStateProvider({ folder, onFailure: rejectState });
  const accounts = createAccounts({ baseUrl, missingKey: '', state, profile });
  const account = accounts.get(apiKey);
  const services = {
    confirm,
    mode: { readOnly, sandbox: false, confirm, readableGroups },
    confirmation: createConfirmation({
      state,
      program: { approve },
      ...(actionsPerHour === undefined ? {} : { actionsPerHour }),
    }),
    state,
    idempotencyStore: createIdempotencyStore({ state }),
    files: createFileAccess(
      resolveAllowedFolders({ files: [...(options.files ?? [])], http: true, hosted: false, readOnly }),
      {
        readOnly,
        uploads: 'files',
        secrets: folder === undefined ? undefined : createSecretStore(join(folder, 'secrets')),
        machine: {
          platform: process.platform,
          home: getHomeFolder(process.env['HOME']),
          privateFolders: folder === undefined ? [] : [folder],
        },
        folderAdvice: 'List the folder in the option files of createTools',
      },
    ),
    log: createLog({ level: 'error', secrets: [apiKey] }),
    profile,
  };
  const connection = {
    id: 'program',
    appName: undefined,
    era: 'modern',
    supportsForms: false,
    supportsUrls: false,
  } as const;

  async function call(
    name: string,
    args: unknown,
    { signal = new AbortController().signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ToolCallResult> {
    const tool = tools.find((candidate) => candidate.name === name);
    const input = parseArgumentsText(args);
    const result =
      tool === undefined
        ? toFailureResult({ code: 'unknown_tool', message: describeUnknownTool(name) })
        : input === undefined
          ? toFailureResult({
              code: 'invalid_arguments',
              message: 'The arguments are not valid JSON. Write them again.',
            })
          : await callTool(findTool(tool), input, {
              services,
              account,
              connection,
              // The parts of a request that no host sent: nothing asks for progress, and no form is shown.
              mcp: { mcpReq: { signal, requestState: () => undefined } } as ServerContext,
            });
    const { content = [], isError = false } = result as CallToolResult;
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { text, data: JSON.parse(text), isError };
  }

  function describeUnknownTool(name: string): string {
    const names = tools.map((tool) => tool.name);
    const suggestion = findClosestMatch(name, names);
    return `No tool has this name. ${suggestion ? `Did you mean ${suggestion}?` : `Tools: ${names.join(', ')}.`}`;
  }

  return {
    instructions: `${functionInstructions({ tools, confirm })}${profile ? profileInstructions : ''}`,
    ...formatForProviders(tools, call),
    call,
    async close() {
      await accounts.close();
      await state.close();
    },
  };
}

/** A program that names a folder relies on it. */
function rejectState(error: unknown): never {
  throw new InputError(`state: ${error instanceof Error ? error.message : String(error)}`);
}

/** Returns undefined for invalid JSON. Models write no text for no arguments. */
function parseArgumentsText(args: unknown): unknown {
  if (typeof args !== 'string') return args ?? {};
  try {
    return args.trim() === '' ? {} : parseJsonExact(args);
  } catch {
    return undefined;
  }
}
