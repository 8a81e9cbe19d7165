import { createFormField, createRecordField } from '../fields/form-fields.ts';
import { requireEmail } from '../fields/parse-email.ts';
import { link } from '../records/kinds.ts';
import { toVisitor, visitor } from '../records/visitor.ts';
import { defineReport, readNewestFirst } from './define-report.ts';

export const listLinkVisitors = defineReport<{ link: string; email?: string }>({
  key: 'list_link_visitors',
  noun: 'Visitor',
  label: 'Find Link Visitors',
  description: 'Finds the people who opened a share link, at most 250, most recent first.',
  inputFields: [
    createRecordField(link, { helpText: 'The link to get the visitors of.' }),
    createFormField('email', 'Visitor Email', {
      helpText: 'Only the visitor with this email address. Leave empty for all visitors.',
    }),
  ],
  perform: (step) => {
    const { link: id, email } = step.input;
    return readNewestFirst((query, options) => step.client.analytics.visitors({ ...query, id }, options), step, {
      operation: 'analytics.visitors',
      toOutput: (item) => toVisitor(item, id),
      timeKey: 'last_seen_at',
      filter: { key: 'email', value: email && requireEmail(email, 'Visitor Email').email },
    });
  },
  ...visitor,
});
