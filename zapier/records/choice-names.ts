/** Entry of a drop-down list. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  /** Tells apart entries of one name, if there is any. */
  readonly detail?: string;
}

/** Gives the entries of a drop-down list different names: equal ones get their detail, and, if that is equal too, their ID. */
export function disambiguateNames(choices: readonly Choice[]): { id: string; name: string }[] {
  const detailed = renameDuplicates(choices, ({ name, detail, id }) => `${name} (${detail || id})`);
  return renameDuplicates(detailed, ({ name, id }) => `${name.replace(/\)$/, '')}, ${id})`).map(({ id, name }) => ({
    id,
    name,
  }));
}

/** Returns entries as the choices of a form field. */
export function toChoiceList(choices: readonly Choice[]) {
  const results = disambiguateNames(choices).map(({ id, name }) => ({ id, label: name }));
  return { results, paging_token: null };
}

function renameDuplicates(choices: readonly Choice[], rename: (choice: Choice) => string): Choice[] {
  const count = new Map<string, number>();
  for (const { name } of choices) count.set(name, (count.get(name) ?? 0) + 1);
  return choices.map((choice) => ((count.get(choice.name) ?? 0) > 1 ? { ...choice, name: rename(choice) } : choice));
}
