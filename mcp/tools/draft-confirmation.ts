import { isObject } from '../../src/records/fields.ts';
import type { Tool } from '../tool/tool.ts';
import { readDocument } from './object-preview.ts';
import { findRiskyFields } from './risky-fields.ts';

/** Confirms a draft only if its fields may send it immediately. */
export function createDraftConfirmation(kind: 'agreement' | 'proposal'): NonNullable<Tool['confirmation']> {
  return ({ fields }) => {
    if (!isObject(fields) || findRiskyFields(fields, 'draft').length === 0) return undefined;
    const { document_id } = fields;
    return {
      summary: `Create the ${kind}. With these fields the service may also send it immediately, which can't be undone.`,
      ...(typeof document_id === 'string' ? { preview: (context) => readDocument(context, document_id) } : {}),
    };
  };
}
