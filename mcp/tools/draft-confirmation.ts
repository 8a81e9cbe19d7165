import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { getField, getTextField, getTitle, includesName, type JsonObject } from '../../src/records/fields.ts';
import { PRICE_FIELD_PATTERN, SENT_TEXT_FIELDS } from '../assumptions.ts';
import { formatCount, formatShortList, joinList } from '../tool/headline.ts';
import type { ToolContext } from '../tool/tool.ts';
import { ITEM_LISTS } from './check-readiness.ts';
import {
  describeObject,
  formatPerson,
  getListedDocuments,
  getPeople,
  quoteName,
  quoteNewName,
} from './describe-object.ts';
import { type FieldChange, formatChanges, getFieldChanges, putPlainFirst } from './field-changes.ts';
import {
  describeNewDocument,
  findIds,
  type NewObjectEffects,
  toEffectParts,
  type WriteConfirmation,
} from './object-action.ts';
import { getTemplateId, readTargetIds } from './object-lookup.ts';
import { pickRiskyFields } from './risky-fields.ts';

const MAX_PRICE = 30;
const MAX_TEXT = 60;
/** Further fields must not displace people. */
export const MAX_FIELDS = 60;

/** Price and texts of a draft that its recipients get, unless the request changes them. */
export function formatDraftContent(item: JsonObject, fields: JsonObject) {
  const draft = Object.fromEntries(
    Object.entries(item).filter(([name, value]) => [undefined, value].includes(getField(fields, name))),
  );
  const currency = getTextField(draft, RECORD_FIELDS.currency) ?? '';
  // A caller may have added an amount to a draft whose items have another total.
  const amounts = Object.entries(draft).flatMap(
    ([name, value]) => getTextField({ [name]: value }, RECORD_FIELDS.amount) ?? [],
  );
  const prices = [...new Set(amounts)].map((amount) => quoteName(`${amount} ${currency}`.trim(), MAX_PRICE));
  return {
    price: prices.length === 0 ? formatItems(draft) : [`price ${prices.join(' or ')}`],
    texts: SENT_TEXT_FIELDS.flatMap((name) => {
      const text = getTextField(draft, [name]);
      // The question begins with the title.
      const isTitle = /subject$/.test(name) && text === getTitle(item);
      return text === undefined || isTitle ? [] : [`${name}: ${quoteName(text, MAX_TEXT)}`];
    }),
  };
}

/** Prices and quantities of a draft without a known total. An assistant drafts items unasked, so the question shows them. */
function formatItems(draft: JsonObject): readonly string[] {
  const isShown = (name: string) => includesName(['currency', ...ITEM_LISTS], name) || PRICE_FIELD_PATTERN.test(name);
  const names = Object.keys(draft).filter((name) => draft[name] && isShown(name));
  const values = getFieldChanges(names, draft).filter(({ name }) => !includesName(RECORD_FIELDS.itemName, name));
  return values.some(({ path }) => path.includes('.') || PRICE_FIELD_PATTERN.test(path))
    ? [formatShortList(formatChanges(values), 'fields')]
    : [];
}

type DraftKind = 'agreement' | 'proposal' | 'template' | 'contact';

/** Effects of a new draft, template or contact, one per source and person: a decline of some does not cover others. */
async function getDraftEffects(kind: DraftKind, fields: JsonObject, context: ToolContext) {
  const people = getPeople(fields);
  const documentIds = [...findIds(fields, 'document'), ...getListedDocuments(fields).map(({ id }) => id)];
  const sources = [...(await readTargetIds(context, ...documentIds)), getTemplateId(fields) ?? []].flat();
  const toEffects = (source: string) => toEffectParts(people).map((person) => `${kind}s.create ${source} ${person}`);
  return {
    effects: toEffectParts(sources).flatMap(toEffects),
    coveringEffects: toEffects(''),
    isIdentified: sources.length + people.length > 0,
  };
}

/** Effects of a draft that needs no confirmation. Without a source or a person, only its arguments identify it. */
export function createDraftEffects(kind: DraftKind): NewObjectEffects {
  return async (fields, context) => {
    const { isIdentified, ...effects } = await getDraftEffects(kind, fields, context);
    return isIdentified ? effects : undefined;
  };
}

/** Confirms a new draft, template or contact only if its fields may send or share something immediately. */
export function createDraftConfirmation(kind: DraftKind): WriteConfirmation {
  return async ({ fields }, context) => {
    const riskyFields = pickRiskyFields(fields, kind === 'agreement' || kind === 'proposal' ? 'draft' : kind);
    const riskyNames = Object.keys(riskyFields);
    if (riskyNames.length === 0) return undefined;
    const templateId = getTemplateId(fields);
    const recipients = getPeople(fields);
    const { effects, coveringEffects } = await getDraftEffects(kind, fields, context);
    const toSent = (effect: string) => `${effect} sent`;
    return {
      // Any of these fields may send it to any of these people. A declined draft is not sent either.
      effects: effects.map(toSent),
      coveringEffects: [...coveringEffects.map(toSent), ...effects],
      async describe(context) {
        const [document, template] = await Promise.all([
          describeNewDocument(context, fields),
          templateId === undefined ? undefined : describeObject(context, 'templates', templateId),
        ]);
        const content = Object.entries({ document, template }).flatMap(([kind, one]) =>
          one ? `${kind} ${one.name}` : [],
        );
        const from = content.length > 0 ? ` from ${content.join(' and ')}` : '';
        const isNamed = ({ to }: FieldChange) => typeof to === 'string' && recipients.includes(formatPerson(to));
        const risky = putPlainFirst(getFieldChanges(riskyNames, riskyFields));
        const changes = [...risky.filter((change) => !isNamed(change)), ...risky.filter(isNamed)];
        // The same property of further recipients must not displace other fields or people.
        const byKind = new Map(changes.toReversed().map((change) => [change.path.replace(/\.\d+\./g, '.'), change]));
        const first = [...byKind.values()].toReversed();
        const items = formatChanges([...first, ...changes.filter((change) => !first.includes(change))]);
        const more = changes.length > 1 ? [formatCount(changes.length - 1, 'more fields')] : [];
        const oneField = joinList([...items.slice(0, 1), ...more]);
        const endWith = (maxColumns?: number) =>
          `, with fields of unknown effect: ${formatShortList(items, 'fields', maxColumns)}.`;
        return {
          headline: {
            before: `Create ${kind} ${quoteNewName(fields)}${from}${recipients.length === 0 ? '' : ' for '}`,
            items: recipients,
            noun: 'people',
            after: endWith(),
            // One field, or several that are no longer. Further fields must not displace strangers.
            briefAfter: endWith(oneField.length),
            someAfter: endWith(Math.max(oneField.length, MAX_FIELDS)),
          },
          notice: "If one of them sends or shares something immediately, that can't be undone.",
          about: template ? { ...document?.about, template: template.about } : document?.about,
        };
      },
    };
  };
}
