import { CommandLineError } from '../../src/command-line.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { ToolError } from '../tool-error.ts';

/** A workspace that this server is connected to, and the key for it. */
export interface Workspace {
  readonly name: string;
  readonly apiKey: string;
}

const KEY_PREFIX = 'DOCSHARE_API_KEY__';
const NAME = /^\w[\w-]{0,39}$/;
export const WORKSPACE_NAME_RULE = 'at most 40 letters, digits, - and _';
/** Name of the key without a name, if there are others. */
const DEFAULT_NAME = 'default';

/**
 * Reads the named keys (`DOCSHARE_API_KEY__acme`); with them, `DOCSHARE_API_KEY` is the workspace `default`. Empty without
 * named keys. @throws CommandLineError if a name can't be used or differs from another one only in case, or a key is missing
 * or used twice
 */
export function readWorkspaces(env: NodeJS.ProcessEnv): readonly Workspace[] {
  const named = Object.entries(env).flatMap(([variable, value = '']) => {
    if (!variable.startsWith(KEY_PREFIX)) return [];
    const name = parseWorkspaceName(variable.slice(KEY_PREFIX.length));
    const apiKey = value.trim();
    // Without it, calls meant for it would reach the workspace that remains.
    if (name === undefined || !apiKey)
      throw new CommandLineError(
        `${variable} ${apiKey ? `needs a name of ${WORKSPACE_NAME_RULE}` : 'is empty'}. Correct or remove it.`,
      );
    return [{ name, apiKey }];
  });
  const unnamed = env['DOCSHARE_API_KEY']?.trim();
  const workspaces = named.length > 0 && unnamed ? [{ name: DEFAULT_NAME, apiKey: unnamed }, ...named] : named;
  for (const part of ['name', 'apiKey'] as const) {
    const twice = workspaces.find(
      (item, index) => workspaces.findIndex((other) => other[part] === item[part]) !== index,
    );
    if (twice)
      throw new CommandLineError(
        part === 'name'
          ? `The workspace ${twice.name} has two keys. Names of DOCSHARE_API_KEY__NAME must differ in more than case.`
          : `The workspace ${twice.name} has the same key as another one. Remove one of the two variables.`,
      );
  }
  return workspaces.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Names differ in more than case. Returns undefined if a name breaks {@link WORKSPACE_NAME_RULE}. */
export function parseWorkspaceName(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return NAME.test(name) ? name : undefined;
}

/** Adds the argument `workspace` to a listed tool, so that each call names the workspace that it means. */
export function withWorkspaceArgument(tool: object, workspaces: readonly Workspace[]): JsonObject {
  const { inputSchema } = tool as { inputSchema: { properties?: JsonObject; required?: readonly string[] } };
  const workspace = { type: 'string', enum: workspaces.map(({ name }) => name), description: 'The workspace to use.' };
  return {
    ...tool,
    inputSchema: {
      ...inputSchema,
      properties: { workspace, ...inputSchema.properties },
      required: ['workspace', ...(inputSchema.required ?? [])],
    },
  };
}

/** Returns the workspace that a call names, and its other arguments. @throws ToolError if it names none of them */
export function resolveWorkspace(
  input: unknown,
  workspaces: readonly Workspace[],
): { readonly workspace: Workspace; readonly args: JsonObject } {
  const { workspace: name, ...args } = { ...(input as JsonObject) };
  const workspace = workspaces.find((candidate) => candidate.name === name);
  if (workspace) return { workspace, args };
  throw new ToolError(
    'invalid_arguments',
    `workspace must be one of: ${workspaces.map((candidate) => candidate.name).join(', ')}. Nothing was done. If the user did not say which, ask.`,
  );
}
