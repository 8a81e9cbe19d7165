import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { PROFILED_ARGUMENTS } from '../tool/profiled-arguments.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';

const FIELDS_URI_TEMPLATE = 'docshare://fields/{tool}';
const RESOURCE_TITLE = 'Names a tool takes';
const RESOURCE_DESCRIPTION = 'All names that were learned of this service for the fields or query of a tool.';

/** Offers all that a profile knows of a tool's `fields` and `query`: the menu itself has room for the likeliest alone. */
export function registerFieldNames(
  server: McpServer,
  { tools, profile }: { tools: readonly ToolDefinition[]; profile: ServiceProfile },
): void {
  const names = tools.filter(hasProfiledArguments).map(({ name }) => name);
  if (names.length === 0) return;
  const template = new ResourceTemplate(FIELDS_URI_TEMPLATE, {
    list: undefined,
    complete: { tool: (typed) => names.filter((name) => name.includes(typed.trim().toLowerCase())) },
  });
  const metadata = { title: RESOURCE_TITLE, description: RESOURCE_DESCRIPTION, mimeType: 'application/json' };
  server.registerResource('fields', template, metadata, async (uri, variables) => {
    const tool = tools.find(({ name }) => name === variables['tool'] && names.includes(name));
    if (!tool)
      throw new ResourceNotFoundError(uri.href, `No such tool. Those with names: ${names.join(', ')}.`);
    const text = JSON.stringify(await readFieldNames(tool, profile));
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
  });
}

export function hasProfiledArguments({ inputSchema: { properties } }: ToolDefinition): boolean {
  return PROFILED_ARGUMENTS.some((argument) => isObject(properties) && Object.hasOwn(properties, argument));
}

async function readFieldNames(tool: ToolDefinition, profile: ServiceProfile): Promise<JsonObject> {
  const [{ getArgumentProfile, isDisplayableName }, { getEnumValues }, { getTypes }] = await Promise.all([
    import('../tool/argument-profile.ts'),
    import('../tool/describe-argument.ts'),
    import('../tool/describe-mismatch.ts'),
  ]);
  const profiled = PROFILED_ARGUMENTS.flatMap((argument) => {
    const argumentProfile = getArgumentProfile(profile, tool.operation, argument);
    const names = argumentProfile?.names.filter(({ name }) => isDisplayableName(name)).slice(0, MAX_NAMES);
    return names ? [{ argument, names }] : [];
  });
  return {
    tool: tool.name,
    learned_at: profile.learned.at,
    ...Object.fromEntries(
      profiled.map(({ argument, names }) => [
        argument,
        names.map(({ name, schema, knownBy, value }) => {
          const types = schema ? getTypes(schema) : [];
          const words = getEnumValues(schema?.enum ?? []);
          return {
            name,
            ...(types.length > 0 ? { type: types.length === 1 ? types[0] : types } : {}),
            ...(schema?.format !== undefined && isDisplayableName(schema.format)
              ? { format: schema.format }
              : {}),
            ...(words.length > 0 ? { words } : {}),
            ...(value !== undefined && isDisplayableName(value.replace(/^[-+]/, '')) ? { value } : {}),
            known_by: knownBy,
          };
        }),
      ]),
    ),
    note: KNOWN_BY_NOTE,
  };
}

/** Enough for any form that people fill in, and bounded whatever the file says. */
const MAX_NAMES = 200;
const KNOWN_BY_NOTE =
  'documented: by the API document; taken: in a body that the service took; seen: in its answers alone, so it may not be settable. Others go unchecked into extra.';
