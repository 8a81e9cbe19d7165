import { recordField, textInput } from '../forms/form.ts';
import { getTextField, type JsonObject } from '../platform/core.ts';
import { link } from '../records/link.ts';
import { collect, isNewestFirst } from '../records/pages.ts';
import { readVisitor, visitor } from '../records/visitor.ts';
import { report, requireWhole, SHOWN_RESULTS } from './report.ts';

interface Input extends Record<string, unknown> {
  link: string;
  email?: string;
}

export const listLinkVisitors = report<Input>({
  key: 'list_link_visitors',
  noun: 'Visitor',
  label: 'List Link Visitors',
  description: 'Finds the people who opened a share link, those who came last first.',
  inputFields: [
    recordField(link, { helpText: 'The link whose visitors you want.' }),
    textInput('email', 'Visitor Email', {
      helpText: 'Only the visitor with this address. Leave empty for everybody who came.',
    }),
  ],
  run: async (client, { input }) => {
    const wanted = input.email?.trim().toLowerCase();
    const visitors: JsonObject[] = [];
    const { items, complete } = await collect((query, options) =>
      client.analytics.visitors({ ...query, id: input.link }, options),
    );
    for (const item of items) {
      const one = readVisitor(item, input.link);
      if (!wanted || String(one['email'] ?? '').toLowerCase() === wanted) visitors.push(one);
    }
    const getTime = (item: JsonObject) => getTextField(readVisitor(item, input.link), ['last_seen_at']);
    requireWhole(complete || (visitors.length > 0 && isNewestFirst(items, getTime)), {
      operation: 'analytics.visitors',
      read: items.length,
    });
    return visitors
      .toSorted((a, b) => String(b['last_seen_at'] ?? '').localeCompare(String(a['last_seen_at'] ?? '')))
      .slice(0, SHOWN_RESULTS);
  },
  ...visitor,
});
