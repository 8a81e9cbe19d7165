import { type McpServer, type ResourceLink, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Account } from '../account/account.ts';
import type { ShutdownSignals } from '../call/shutdown-signals.ts';
import type { CreatedObject } from '../tool/key-status.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { getOfferedResources, getUriTemplate } from './resource-kinds.ts';

/** Registers URI templates. Objects are not listed, which would cost requests whenever a host starts. */
export function registerResources(
  server: McpServer,
  {
    tools,
    account,
    shutdown,
  }: { tools: readonly ToolDefinition[]; account: Account; shutdown?: ShutdownSignals | undefined },
): void {
  for (const kind of getOfferedResources(tools)) {
    const { group, title, description } = kind;
    const template = new ResourceTemplate(getUriTemplate(kind), {
      list: undefined,
      complete: {
        id: async (typed) => (await import('./complete-id.ts')).completeId(account, group, { typed, shutdown }),
      },
    });
    server.registerResource(
      group,
      template,
      { title, description, mimeType: 'application/json' },
      async (uri, variables, mcp) => {
        const { readResource } = await import('./read-resource.ts');
        return readResource({ kind, uri, id: String(variables['id'] ?? ''), account, mcp, shutdown });
      },
    );
  }
}

/** Resource link to a created object, if its kind is offered as a resource. */
export function createResourceLink(
  tools: readonly ToolDefinition[],
  { group, id, name }: CreatedObject,
): ResourceLink | undefined {
  const kind = getOfferedResources(tools).find((candidate) => candidate.group === group);
  if (!kind) return undefined;
  const { title, description } = kind;
  const uri = getUriTemplate(kind).replace('{id}', encodeURIComponent(id));
  return { type: 'resource_link', uri, name, title, description, mimeType: 'application/json' };
}
