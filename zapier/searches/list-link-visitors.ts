import { recordField, textInput } from '../fields/form-fields.ts';
import { getTextField, type JsonObject } from '../platform/client-core.ts';
import { link } from '../records/link.ts';
import { collectItems, isNewestFirst } from '../records/read-list.ts';
import { toVisitor, visitor } from '../records/visitor.ts';
import { defineReport, MAX_RESULTS, requireComplete } from './define-report.ts';

interface Input extends Record<string, unknown> {
  link: string;
  email?: string;
}

export const listLinkVisitors = defineReport<Input>({
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
  perform: async (client, { input }) => {
    const emailFilter = input.email?.trim().toLowerCase();
    const select = (items: readonly JsonObject[]): JsonObject[] =>
      items
        .map((item) => toVisitor(item, input.link))
        .filter(({ email }) => !emailFilter || String(email ?? '').toLowerCase() === emailFilter);
    const getTime = (item: JsonObject) => getTextField(toVisitor(item, input.link), ['last_seen_at']);
    const reading = await collectItems((query, options) =>
      client.analytics.visitors({ ...query, id: input.link }, options),
    );
    const isEnough = (items: readonly JsonObject[]) =>
      select(items).length > 0 && isNewestFirst(items, getTime);
    return select(requireComplete(reading, 'analytics.visitors', isEnough))
      .toSorted((a, b) => String(b['last_seen_at'] ?? '').localeCompare(String(a['last_seen_at'] ?? '')))
      .slice(0, MAX_RESULTS);
  },
  ...visitor,
});
