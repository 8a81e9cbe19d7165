import { isScope, SCOPES } from '../../src/scopes.ts';
import { groupOf, isReadOnly, scopeOf, type Tool } from '../contract/tool.ts';
import { nearest } from '../nearest.ts';
import { tools } from '../tools/index.ts';

/** What the start of the server says about which tools it offers; unset means no limit. */
export interface MenuChoice {
  readonly groups?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly readOnly?: boolean;
}

/** Thrown for a name that nothing has: a mistyped limit must not open the menu. */
export class MenuError extends Error {}

export const groups: readonly string[] = [...new Set(tools.map(groupOf))];

/**
 * The tools on offer. `tools` adds single ones to `groups`; `exclude` and the key's scopes take away; `readOnly` wins over
 * everything.
 * @throws MenuError for an unknown name, with the known ones.
 */
export function chooseTools(choice: MenuChoice): readonly Tool[] {
  const names = tools.map(({ name }) => name);
  refuseUnknown('group', choice.groups, groups);
  refuseUnknown('tool', choice.tools, names);
  refuseUnknown('tool', choice.exclude, names);
  refuseUnknown('scope', choice.scopes, SCOPES, isScope);
  const limited = choice.groups !== undefined || choice.tools !== undefined;
  return tools.filter((tool) => {
    const asked = choice.groups?.includes(groupOf(tool)) || choice.tools?.includes(tool.name);
    if (limited && !asked) return false;
    if (choice.exclude?.includes(tool.name)) return false;
    if (choice.scopes !== undefined && !choice.scopes.includes(scopeOf(tool))) return false;
    return !choice.readOnly || isReadOnly(tool);
  });
}

function refuseUnknown(
  kind: string,
  given: readonly string[] | undefined,
  known: readonly string[],
  isKnown = (name: string) => known.includes(name),
): void {
  const unknown = given?.find((name) => !isKnown(name));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  throw new MenuError(
    `There is no ${kind} "${unknown}"${near ? `; did you mean "${near}"?` : '.'} Known: ${known.join(', ')}.`,
  );
}
