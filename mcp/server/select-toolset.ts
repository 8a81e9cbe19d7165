import { closestMatch } from '../../src/did-you-mean.ts';
import type { Group } from '../../src/index.ts';
import { isScope, SCOPES } from '../../src/scopes.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { toolDefinitions as every } from '../toolset/tool-definitions.ts';

/** What the start of the server says about which tools it offers; unset means no limit. */
export interface ToolsetOptions {
  readonly groups?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly readOnly?: boolean;
  /** Shares no disk with whoever calls. */
  readonly hosted?: boolean;
  /** The tools to choose from, where they are told by what was learned of the service. */
  readonly catalog?: readonly ToolDefinition[] | undefined;
}

/** Thrown for a name that nothing has: a mistyped limit must not open the menu. */
export class ToolsetError extends Error {}

export const groups: readonly string[] = [...new Set(every.map(({ group }) => group))];

export interface Toolset {
  readonly tools: readonly ToolDefinition[];
  /** Groups that a tool over several groups may read. */
  readonly readableGroups: readonly Group[];
}

/**
 * The tools on offer. `tools` adds single ones to `groups`; `exclude` and the key's scopes take away; `readOnly` wins over
 * everything.
 * @throws MenuError for an unknown name, with the known ones.
 */
export function selectToolset(options: ToolsetOptions): Toolset {
  const { catalog = every } = options;
  const names = catalog.map(({ name }) => name);
  rejectUnknown('group', options.groups, groups);
  rejectUnknown('tool', options.tools, names);
  rejectUnknown('tool', options.exclude, names);
  rejectUnknown('scope', options.scopes, SCOPES, isScope);
  const isLimited = options.groups !== undefined || options.tools !== undefined;
  const readableGroups = groups.filter((group) => canReadGroup(group as Group, options)) as Group[];
  const chosen = catalog.filter((tool) => {
    const isNamed = options.tools?.includes(tool.name);
    if (isLimited && !isNamed && !inGroups(tool, options)) return false;
    if (options.exclude?.includes(tool.name)) return false;
    return hasScope(tool, { options, readableGroups });
  });
  const { readOnly = false, hosted = false } = options;
  const isMissing = (need: string) => {
    if (need === 'disk') return hosted;
    return need === 'writes' ? readOnly : !chosen.some(({ name }) => name === need);
  };
  const offered = chosen.map(
    (tool) => tool.fallbacks?.find(({ without }) => isMissing(without))?.tool ?? tool,
  );
  return {
    tools: offered.filter(({ annotations }) => !readOnly || annotations.readOnlyHint),
    readableGroups,
  };
}

function inGroups(tool: ToolDefinition, { groups: chosen = [] }: ToolsetOptions): boolean {
  if (tool.spans === 'any') return false;
  return tool.groups.some((group) => chosen.includes(group));
}

function hasScope(
  tool: ToolDefinition,
  { options: { scopes }, readableGroups }: { options: ToolsetOptions; readableGroups: readonly string[] },
): boolean {
  if (tool.spans === 'any') return true;
  if (tool.spans === 'groups') return tool.groups.some((group) => readableGroups.includes(group));
  return scopes === undefined || scopes.includes(tool.scope);
}

/** What is kept from its own list must not be read through another tool either. */
function canReadGroup(
  group: Group,
  { groups: chosen, tools: toolNames, exclude, scopes }: ToolsetOptions,
): boolean {
  const lists = every.filter(
    (tool) => tool.spans === undefined && tool.annotations.readOnlyHint && tool.group === group,
  );
  if (chosen !== undefined && !chosen.includes(group) && !lists.some(({ name }) => toolNames?.includes(name)))
    return false;
  const list = lists[0];
  return list !== undefined && !exclude?.includes(list.name) && (scopes?.includes(list.scope) ?? true);
}

function rejectUnknown(
  kind: string,
  requested: readonly string[] | undefined,
  known: readonly string[],
  isKnown = (name: string) => known.includes(name),
): void {
  const unknown = requested?.find((name) => !isKnown(name));
  if (unknown === undefined) return;
  const suggestion = closestMatch(unknown, known);
  throw new ToolsetError(
    `There is no ${kind} "${unknown}"${suggestion ? `; did you mean "${suggestion}"?` : '.'} Known: ${known.join(', ')}.`,
  );
}
