import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import type { KnownName } from '../tool/argument-profile.ts';
import { PROFILED_ARGUMENTS } from '../tool/profiled-arguments.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';

const MAX_NAMES = 200;
const KNOWN_BY_NOTE =
  'documented: named in the API document; accepted: the service accepted it in a request; observed: only seen in responses, so it may not be settable. Put other names into extra to send them unchecked.';

/** Registers a resource with all names that a profile knows; tool descriptions have room for only a few. */
export function registerFieldNames(
  server: McpServer,
  { tools, profile }: { tools: readonly ToolDefinition[]; profile: ServiceProfile },
): void {
  const names = tools.filter(hasProfiledArguments).map(({ name }) => name);
  const template = new ResourceTemplate('docshare://fields/{tool}', {
    list: undefined,
    complete: { tool: (typed) => names.filter((name) => name.includes(typed.trim().toLowerCase())) },
  });
  const metadata = {
    title: 'Fields of a tool',
    description: 'All known names for the fields and query arguments of a tool.',
    mimeType: 'application/json',
  };
  server.registerResource('fields', template, metadata, async (uri, variables) => {
    const tool = tools.find(({ name }) => name === variables['tool'] && names.includes(name));
    if (!tool) throw new ResourceNotFoundError(uri.href, `Unknown tool. Tools with fields: ${names.join(', ')}.`);
    const text = JSON.stringify(await readFieldNames(tool, profile));
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
  });
}

export function hasProfiledArguments({ inputSchema: { properties } }: ToolDefinition): boolean {
  return PROFILED_ARGUMENTS.some((argument) => isObject(properties) && Object.hasOwn(properties, argument));
}

async function readFieldNames(tool: ToolDefinition, profile: ServiceProfile): Promise<JsonObject> {
  const [{ getArgumentProfile, isDisplayableName }, { getEnumValues }, { getNonNullTypes }] = await Promise.all([
    import('../tool/argument-profile.ts'),
    import('../tool/describe-argument.ts'),
    import('../tool/describe-mismatch.ts'),
  ]);
  const describeName = ({ name, schema, knownBy, value }: KnownName) => {
    const types = schema ? getNonNullTypes(schema) : [];
    const values = getEnumValues(schema?.enum ?? []);
    return {
      name,
      ...(types.length > 0 ? { type: types.length === 1 ? types[0] : types } : {}),
      ...(schema?.format !== undefined && isDisplayableName(schema.format) ? { format: schema.format } : {}),
      ...(values.length > 0 ? { values } : {}),
      ...(value !== undefined && isDisplayableName(value.replace(/^[-+]/, '')) ? { value } : {}),
      known_by: knownBy,
    };
  };
  const profiled = PROFILED_ARGUMENTS.flatMap((argument) => {
    const argumentProfile = getArgumentProfile(profile, tool.operation, argument);
    const names = argumentProfile?.names.filter(({ name }) => isDisplayableName(name)).slice(0, MAX_NAMES);
    return names ? [[argument, names.map(describeName)]] : [];
  });
  return { tool: tool.name, learned_at: profile.learned.at, ...Object.fromEntries(profiled), note: KNOWN_BY_NOTE };
}
