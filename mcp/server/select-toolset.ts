import { CommandLineError } from '../../src/command-line.ts';
import { findClosestMatch } from '../../src/did-you-mean.ts';
import type { Group } from '../../src/index.ts';
import { isScope, SCOPES } from '../../src/scopes.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { toolDefinitions as every } from '../toolset/tool-definitions.ts';
import type { Command } from './parse-command-line.ts';

/** Startup options that limit the tools; undefined means no limit. A hosted server shares no disk with its clients. */
export interface ToolsetOptions extends Partial<Pick<Command, 'groups' | 'tools' | 'exclude' | 'readOnly' | 'hosted'>> {
  readonly scopes?: readonly string[] | undefined;
  /** Tools to choose from, if a profile describes them. */
  readonly catalog?: readonly ToolDefinition[] | undefined;
}

export type Toolset = ReturnType<typeof selectToolset>;

export const groups: readonly string[] = [...new Set(every.map(({ group }) => group))];

/**
 * Selects the tools to offer. `tools` adds single tools to `groups`; `exclude` and scopes remove some;
 * `readOnly` overrides everything.
 * @throws CommandLineError for an unknown name, listing the known ones: a typo must not widen the toolset.
 */
export function selectToolset(options: ToolsetOptions) {
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
    const isInGroups = tool.spans !== 'any' && tool.groups.some((group) => options.groups?.includes(group));
    if (isLimited && !isNamed && !isInGroups) return false;
    if (options.exclude?.includes(tool.name)) return false;
    return hasScope(tool, { options, readableGroups });
  });
  const { readOnly = false, hosted = false } = options;
  const isMissing = (need: string) => {
    if (need === 'disk') return hosted;
    return need === 'writes' ? readOnly : !chosen.some(({ name }) => name === need);
  };
  const offered = chosen.map((tool) => tool.fallbacks?.find(({ without }) => isMissing(without))?.tool ?? tool);
  return { tools: offered.filter(({ annotations }) => !readOnly || annotations.readOnlyHint), readableGroups };
}

function hasScope(
  tool: ToolDefinition,
  { options: { scopes }, readableGroups }: { options: ToolsetOptions; readableGroups: readonly string[] },
): boolean {
  if (tool.spans === 'any') return true;
  if (tool.spans === 'groups') return tool.groups.some((group) => readableGroups.includes(group));
  return scopes === undefined || scopes.includes(tool.scope);
}

/** A group whose own list is excluded must not be readable through another tool. */
function canReadGroup(group: Group, { groups: chosen, tools: toolNames, exclude, scopes }: ToolsetOptions): boolean {
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
  const suggestion = findClosestMatch(unknown, known);
  throw new CommandLineError(
    `Unknown ${kind} "${unknown}"${suggestion ? `. Did you mean "${suggestion}"?` : '.'} Known: ${known.join(', ')}.`,
  );
}
