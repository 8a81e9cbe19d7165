import { isObject } from '../../src/records/fields.ts';
import { formatListSentence } from '../tool/headline.ts';
import type { PendingAction } from '../tool/tool.ts';
import { describeObject, formatChanges } from './describe-object.ts';
import type { ListedGroup } from './object-preview.ts';

/** Confirms the change of the named fields; nothing to confirm without any. */
export function getChangeAction({
  group,
  id,
  fields,
  names,
  notice,
}: {
  group: ListedGroup;
  id: string;
  fields: unknown;
  names: readonly string[];
  notice: string;
}): PendingAction | undefined {
  if (names.length === 0 || !isObject(fields)) return undefined;
  return {
    effect: `${group}.update ${id} ${names.toSorted().join(' ')}`,
    async describe(context) {
      const { name, item, about } = await describeObject(context, group, id);
      return {
        headline: formatListSentence({
          before: `Change ${group.slice(0, -1)} ${name}: `,
          items: formatChanges(names, fields, item),
          noun: 'changes',
          none: '',
          after: '.',
        }),
        notice,
        about,
      };
    },
  };
}
