import { formatListSentence } from '../tool/headline.ts';
import type { PendingAction } from '../tool/tool.ts';
import { describeObject, getPeople } from './describe-object.ts';

const PURPOSES = { agreements: ' for signature.', proposals: '.' } as const;

/** Confirms sending an object to its recipients. */
export function getSendAction(group: keyof typeof PURPOSES, id: string): PendingAction {
  return {
    effect: `${group}.send ${id}`,
    async describe(context) {
      const { name, item, about } = await describeObject(context, group, id);
      return {
        headline: formatListSentence({
          before: `Send ${name} to `,
          items: getPeople(item),
          noun: 'people',
          none: 'its recipients, whom the service does not show',
          after: PURPOSES[group],
        }),
        notice: "They are notified immediately. This can't be undone.",
        about,
      };
    },
  };
}
