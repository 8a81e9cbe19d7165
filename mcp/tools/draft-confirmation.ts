import { getTitle, isObject } from '../../src/records/fields.ts';
import { formatCount } from '../tool/headline.ts';
import type { Tool } from '../tool/tool.ts';
import { describeObject, getPeople, quoteName } from './describe-object.ts';
import { formatChanges, getFieldChanges } from './field-changes.ts';
import { describeNewDocument } from './object-action.ts';
import { findRiskyFields } from './risky-fields.ts';

function formatRecipients(people: readonly string[]): string {
  if (people.length === 0) return '';
  return ` for ${people.length > 3 ? formatCount(people.length, 'people') : people.join(', ')}`;
}

/** Confirms a draft only if its fields may send it immediately. */
export function createDraftConfirmation(kind: 'agreement' | 'proposal'): NonNullable<Tool['confirmation']> {
  return ({ fields }) => {
    const riskyFields = findRiskyFields(fields, 'draft');
    if (!isObject(fields) || riskyFields.length === 0) return undefined;
    const { document_id, template_id } = fields;
    const recipients = getPeople(fields);
    return {
      // Any of these fields may send it.
      effects: [`${kind}s.create ${document_id ?? ''} sent`],
      async describe(context) {
        const [document, template] = await Promise.all([
          describeNewDocument(context, fields),
          typeof template_id === 'string' ? describeObject(context, 'templates', template_id) : undefined,
        ]);
        const content = [
          ...(document ? [`document ${document.name}`] : []),
          ...(template ? [`template ${template.name}`] : []),
        ];
        const from = content.length > 0 ? ` from ${content.join(' and ')}` : '';
        const name = quoteName(getTitle(fields) ?? 'without a name');
        return {
          headline: {
            before: `Create ${kind} ${name}${from}${formatRecipients(recipients)}, with fields of unknown effect: `,
            items: formatChanges(getFieldChanges(riskyFields, fields)),
            noun: 'fields',
          },
          notice: "If one of them sends it immediately, that can't be undone.",
          about: document?.about,
        };
      },
    };
  };
}
