import type { ToolDefinition } from '../toolset/tool-definition.ts';

/** Resources that can be attached to a conversation by id. */
const resourceKinds = [
  { group: 'documents', title: 'Document', description: 'Metadata of a document.' },
  { group: 'links', title: 'Link', description: 'A share link with its access settings.' },
  { group: 'rooms', title: 'Room', description: 'A data room.' },
  { group: 'agreements', title: 'Agreement', description: 'An agreement with its status and recipients.' },
  { group: 'templates', title: 'Template', description: 'An agreement template.' },
] as const;

export type ResourceKind = (typeof resourceKinds)[number];

/** Resources are only offered together with the list of their group. */
export function getOfferedResources(tools: readonly ToolDefinition[]): readonly ResourceKind[] {
  return resourceKinds.filter((kind) => tools.some(({ name }) => name === getResourceListToolName(kind)));
}

export function getResourceListToolName({ group }: ResourceKind): string {
  return `list_${group}`;
}

export function getUriTemplate({ group }: ResourceKind): string {
  return `docshare://${group}/{id}`;
}
