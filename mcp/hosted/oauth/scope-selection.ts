import type { Scope } from '../../../src/scopes.ts';
import { isScope, SCOPES } from '../../../src/scopes.ts';
import { setBounded } from '../../bounded-map.ts';
import type { ConfirmMode } from '../../call/call-tool.ts';
import { selectToolset, type Toolset, type ToolsetOptions } from '../../server/select-toolset.ts';
import type { ToolDefinition } from '../../toolset/tool-definition.ts';

/** Permissions for the key that a person granted to a host. */
interface ScopeSelection {
  readonly scopes: readonly Scope[];
  /** Scopes that the person did not grant; the host is not asked to request them again. */
  readonly declined: readonly Scope[];
  readonly readOnly: boolean;
  readonly confirm: ConfirmMode;
}

/** Scopes of one row on the consent page. */
export interface GroupScopes {
  readonly group: string;
  readonly reads: readonly Scope[];
  readonly writes: readonly Scope[];
}

/** Scopes and groups that this server offers. */
export interface ScopeCatalog {
  readonly scopes: readonly Scope[];
  readonly groups: readonly GroupScopes[];
  /** Toolset of a grant. It includes tools whose scopes the host has not requested yet. */
  getToolset(selection: ScopeSelection): Toolset & { getMissingScopes(tool: ToolDefinition): readonly Scope[] };
}

const MAX_CACHED_TOOLSETS = 200;

export function createScopeCatalog(options: ToolsetOptions): ScopeCatalog {
  const allTools = selectToolset(options);
  const toolsetCache = new Map<string, ReturnType<ScopeCatalog['getToolset']>>();
  const singleGroupTools = allTools.tools.filter(({ spans }) => spans === undefined);
  const scopes = SCOPES.filter((scope) => singleGroupTools.some((tool) => tool.scope === scope));
  const groups = [...new Set(singleGroupTools.map((tool) => tool.group))].map((group) => {
    const groupTools = singleGroupTools.filter((tool) => tool.group === group);
    const getScopes = (reading: boolean) => [
      ...new Set(
        groupTools.filter(({ annotations }) => annotations.readOnlyHint === reading).map(({ scope }) => scope),
      ),
    ];
    return { group, reads: getScopes(true), writes: getScopes(false) };
  });

  function getToolset(selection: ScopeSelection): ReturnType<ScopeCatalog['getToolset']> {
    const { scopes: granted, declined } = selection;
    const requestable = scopes.filter((scope) => !granted.includes(scope) && !declined.includes(scope));
    const toolset = selectToolset({
      ...options,
      scopes: [...granted, ...requestable],
      readOnly: options.readOnly || selection.readOnly,
    });
    const getMissingScopes = (tool: ToolDefinition) =>
      tool.spans === undefined && requestable.includes(tool.scope) ? [tool.scope] : [];
    const readableGroups = selectToolset({ ...options, scopes: granted }).readableGroups;
    return { tools: toolset.tools, readableGroups, getMissingScopes };
  }

  return {
    scopes,
    groups,
    getToolset(selection) {
      const { scopes: granted, declined, readOnly } = selection;
      const key = JSON.stringify([granted, declined, readOnly]);
      const toolset = toolsetCache.get(key) ?? getToolset(selection);
      setBounded(toolsetCache, MAX_CACHED_TOOLSETS, [key, toolset]);
      return toolset;
    },
  };
}

/** Parses a scope parameter. Unknown scopes that hosts send, such as `openid`, are ignored. */
export function parseScopes(text: string | undefined, known: readonly Scope[]): readonly Scope[] {
  const named = (text ?? '').split(' ').filter(isScope);
  return known.filter((scope) => named.includes(scope));
}

/** Returns the scopes of the selected groups. */
export function getGrantedScopes(
  selection: { readonly groups: readonly string[]; readonly readOnly: boolean },
  limits: { scopeCatalog: ScopeCatalog; requestedScopes: readonly Scope[]; deniedScopes: readonly Scope[] },
): readonly Scope[] {
  const { scopeCatalog, requestedScopes, deniedScopes } = limits;
  const chosen = scopeCatalog.groups
    .filter(({ group }) => selection.groups.includes(group))
    .flatMap(({ reads, writes }) => (selection.readOnly ? reads : [...reads, ...writes]));
  return requestedScopes.filter((scope) => chosen.includes(scope) && !deniedScopes.includes(scope));
}
