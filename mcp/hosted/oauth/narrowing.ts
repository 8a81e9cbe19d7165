import type { Scope } from '../../../src/scopes.ts';
import { isScope, SCOPES } from '../../../src/scopes.ts';
import type { ConfirmMode } from '../../call/call-tool.ts';
import type { ToolDefinition } from '../../menu/listed-tool.ts';
import { chooseMenu, type Menu, type MenuChoice } from '../../start/menu.ts';

/** What a person let a host do with the key. */
export interface Narrowing {
  readonly scopes: readonly Scope[];
  /** Scopes that the host asked for and did not get: it is not told to ask again. */
  readonly declined: readonly Scope[];
  readonly readOnly: boolean;
  readonly confirm: ConfirmMode;
}

/** One row of the consent page. */
export interface GroupOffer {
  readonly group: string;
  /** Of its tools on this server's menu. */
  readonly reads: readonly Scope[];
  readonly writes: readonly Scope[];
}

/** What this server offers to everybody, as scopes and groups. */
export interface Offers {
  readonly scopes: readonly Scope[];
  readonly groups: readonly GroupOffer[];
  /** The menu of a grant; `askable` scopes stand on it too, for a host that has not asked for them yet. */
  menuFor(narrowing: Narrowing): Menu & { missing(tool: ToolDefinition): readonly Scope[] };
}

const MENUS_KEPT = 200;

export function createOffers(choice: MenuChoice): Offers {
  const all = chooseMenu(choice);
  const menus = new Map<string, ReturnType<Offers['menuFor']>>();
  const single = all.tools.filter(({ spans }) => spans === undefined);
  const scopes = SCOPES.filter((scope) => single.some((tool) => tool.scope === scope));
  const groups = [...new Set(single.map((tool) => tool.group))].map((group) => {
    const own = single.filter((tool) => tool.group === group);
    const getScopes = (reading: boolean) => [
      ...new Set(
        own.filter(({ annotations }) => annotations.readOnlyHint === reading).map(({ scope }) => scope),
      ),
    ];
    return { group, reads: getScopes(true), writes: getScopes(false) };
  });

  function menuFor(narrowing: Narrowing): ReturnType<Offers['menuFor']> {
    const { scopes: granted, declined } = narrowing;
    const askable = scopes.filter((scope) => !granted.includes(scope) && !declined.includes(scope));
    const menu = chooseMenu({
      ...choice,
      scopes: [...granted, ...askable],
      readOnly: choice.readOnly || narrowing.readOnly,
    });
    const missing = (tool: ToolDefinition) =>
      tool.spans === undefined && askable.includes(tool.scope) ? [tool.scope] : [];
    const reach = chooseMenu({ ...choice, scopes: granted }).reach;
    return { tools: menu.tools, reach, missing };
  }

  return {
    scopes,
    groups,
    menuFor(narrowing) {
      const { scopes: granted, declined, readOnly } = narrowing;
      const key = JSON.stringify([granted, declined, readOnly]);
      const menu = menus.get(key) ?? menuFor(narrowing);
      const [oldest] = menus.keys();
      if (menus.size >= MENUS_KEPT && oldest !== undefined) menus.delete(oldest);
      menus.set(key, menu);
      return menu;
    },
  };
}

/** Known scopes of a text; hosts also send others' (`openid`, `offline_access`), which mean nothing here. */
export function scopesIn(text: string | undefined, known: readonly Scope[]): readonly Scope[] {
  const named = (text ?? '').split(' ').filter(isScope);
  return known.filter((scope) => named.includes(scope));
}

/** The scopes that ticked groups come to. */
export function grantedBy(
  ticks: { readonly groups: readonly string[]; readonly readOnly: boolean },
  { offers, asked, refused }: { offers: Offers; asked: readonly Scope[]; refused: readonly Scope[] },
): readonly Scope[] {
  const chosen = offers.groups
    .filter(({ group }) => ticks.groups.includes(group))
    .flatMap(({ reads, writes }) => (ticks.readOnly ? reads : [...reads, ...writes]));
  return asked.filter((scope) => chosen.includes(scope) && !refused.includes(scope));
}
