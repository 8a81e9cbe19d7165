import { CREATED_FIELDS } from '../../../src/assumptions/index.ts';
import { RECORD_FIELDS } from '../../../src/assumptions/record-fields.ts';
import { getName, getTextField, idOf, isObject, type JsonObject } from '../../../src/records/fields.ts';

export type Choice = ReturnType<typeof parseChoices>[number];

/** Known kinds only: the kind is reported to the model, and `group` may be untrusted text. */
const KINDS = ['document', 'link', 'room', 'agreement', 'proposal', 'template', 'contact'];

/** Items of `find`, `list_documents` or `list_contacts` that have an id. */
export function parseChoices(toolResult: JsonObject) {
  const items = Array.isArray(toolResult['items']) ? toolResult['items'].filter(isObject) : [];
  return items.flatMap((item) => {
    const kind = KINDS.find((candidate) => item['group'] === `${candidate}s`) ?? '';
    const id = idOf(item, kind || undefined);
    if (id === undefined) return [];
    const email = getTextField(item, RECORD_FIELDS.email);
    const name = getName(item, kind || undefined) ?? email ?? id;
    const details = [
      kind,
      email === name ? undefined : email,
      getTextField(item, RECORD_FIELDS.company),
      getTextField(item, RECORD_FIELDS.status),
      formatPageCount(item),
    ];
    return {
      id,
      name,
      /** Such as `document` or `contact`; empty if unknown. */
      kind,
      /** Details that distinguish items with the same name. */
      details: details.filter((part) => part !== undefined && part !== '').join(' · '),
      created: getTextField(item, CREATED_FIELDS),
    };
  });
}

function formatPageCount(item: JsonObject): string | undefined {
  const count = Number(getTextField(item, RECORD_FIELDS.pageCount));
  if (!Number.isInteger(count) || count < 1) return undefined;
  return count === 1 ? '1 page' : `${count} pages`;
}

/** Choices whose name, details or id contain every word of the text. */
export function filterChoices(choices: readonly Choice[], text: string): Choice[] {
  const searchWords = text
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return choices.filter(({ name, details, id }) => {
    const all = `${name} ${details} ${id}`.toLocaleLowerCase();
    return searchWords.every((word) => all.includes(word));
  });
}
