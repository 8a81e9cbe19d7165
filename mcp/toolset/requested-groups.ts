import type { ToolDefinition } from './tool-definition.ts';

const GROUPS_HEADER = 'docshare-groups';

/** The tools of the groups that an HTTP connection asks for, by `?groups=a,b` or a header; all if it names none. */
export function selectRequestedTools(
  tools: readonly ToolDefinition[],
  request: Request | undefined,
): { readonly tools: readonly ToolDefinition[]; readonly unknownGroups: readonly string[] } {
  const text =
    (request && new URL(request.url).searchParams.getAll('groups').join()) || request?.headers.get(GROUPS_HEADER);
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  if (names.length === 0) return { tools, unknownGroups: [] };
  const isRequested = ({ groups, spans }: ToolDefinition) =>
    spans !== 'any' && groups.some((group) => names.includes(group));
  return {
    tools: tools.filter(isRequested),
    unknownGroups: names.filter((name) => !tools.some(({ group }) => group === name)),
  };
}
