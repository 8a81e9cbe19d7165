import type { Group } from '../../src/index.ts';
import { isScope, SCOPES } from '../../src/scopes.ts';
import { toolDefinitions as every } from '../menu/listed.ts';
import type { ToolDefinition } from '../menu/listed-tool.ts';
import { findClosestMatch } from '../nearest.ts';

/** What the start of the server says about which tools it offers; unset means no limit. */
export interface MenuChoice {
  readonly groups?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly readOnly?: boolean;
  /** Shares no disk with whoever calls. */
  readonly hosted?: boolean;
  /** The tools to choose from, where they are told by what was learned of the service. */
  readonly listed?: readonly ToolDefinition[] | undefined;
}

/** Thrown for a name that nothing has: a mistyped limit must not open the menu. */
export class MenuError extends Error {}

export const groups: readonly string[] = [...new Set(every.map(({ group }) => group))];

export interface Menu {
  readonly tools: readonly ToolDefinition[];
  /** Groups that a tool over several groups may read. */
  readonly reach: readonly Group[];
}

/**
 * The tools on offer. `tools` adds single ones to `groups`; `exclude` and the key's scopes take away; `readOnly` wins over
 * everything.
 * @throws MenuError for an unknown name, with the known ones.
 */
export function chooseMenu(choice: MenuChoice): Menu {
  const { listed = every } = choice;
  const names = listed.map(({ name }) => name);
  refuseUnknown('group', choice.groups, groups);
  refuseUnknown('tool', choice.tools, names);
  refuseUnknown('tool', choice.exclude, names);
  refuseUnknown('scope', choice.scopes, SCOPES, isScope);
  const limited = choice.groups !== undefined || choice.tools !== undefined;
  const reach = groups.filter((group) => mayRead(group as Group, choice)) as Group[];
  const chosen = listed.filter((tool) => {
    const named = choice.tools?.includes(tool.name);
    if (limited && !named && !inGroups(tool, choice)) return false;
    if (choice.exclude?.includes(tool.name)) return false;
    return hasScope(tool, { choice, reach });
  });
  const { readOnly = false, hosted = false } = choice;
  const lacks = (need: string) => {
    if (need === 'disk') return hosted;
    return need === 'writes' ? readOnly : !chosen.some(({ name }) => name === need);
  };
  const offered = chosen.map((tool) => tool.fallbacks?.find(({ without }) => lacks(without))?.tool ?? tool);
  return { tools: offered.filter(({ annotations }) => !readOnly || annotations.readOnlyHint), reach };
}

function inGroups(tool: ToolDefinition, { groups: chosen = [] }: MenuChoice): boolean {
  if (tool.spans === 'any') return false;
  return tool.groups.some((group) => chosen.includes(group));
}

function hasScope(
  tool: ToolDefinition,
  { choice: { scopes }, reach }: { choice: MenuChoice; reach: readonly string[] },
): boolean {
  if (tool.spans === 'any') return true;
  if (tool.spans === 'groups') return tool.groups.some((group) => reach.includes(group));
  return scopes === undefined || scopes.includes(tool.scope);
}

/** What is kept from its own list must not be read through another tool either. */
function mayRead(group: Group, { groups: chosen, tools: named, exclude, scopes }: MenuChoice): boolean {
  const lists = every.filter(
    (tool) => tool.spans === undefined && tool.annotations.readOnlyHint && tool.group === group,
  );
  if (chosen !== undefined && !chosen.includes(group) && !lists.some(({ name }) => named?.includes(name)))
    return false;
  const list = lists[0];
  return list !== undefined && !exclude?.includes(list.name) && (scopes?.includes(list.scope) ?? true);
}

function refuseUnknown(
  kind: string,
  given: readonly string[] | undefined,
  known: readonly string[],
  isKnown = (name: string) => known.includes(name),
): void {
  const unknown = given?.find((name) => !isKnown(name));
  if (unknown === undefined) return;
  const near = findClosestMatch(unknown, known);
  throw new MenuError(
    `There is no ${kind} "${unknown}"${near ? `; did you mean "${near}"?` : '.'} Known: ${known.join(', ')}.`,
  );
}
