/** What an answer's object is read as: what is promised in its type, whatever the service writes it as, and all else as it came. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { NamedOperation } from '../../../../src/index.ts';
import { parseObject } from '../../../../src/response/object.ts';
import { texts } from '../../../core/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

const named = standIn<NamedOperation>({
  name: 'links.get',
  group: 'links',
  operation: {
    effect: 'read',
    output: z.looseObject({
      id: z.string(),
      open: z.boolean().optional(),
      inner: z.looseObject({ id: z.string() }).optional(),
    }),
  },
});
const read = (json: unknown) => {
  const answer = { status: 200, headers: {}, text: JSON.stringify(json), complete: true };
  return parseObject(answer, { named, secrets: [], knownFields: {} }).data;
};

test.each<[object, object]>([
  [{ id: 7 }, { id: '7' }],
  [
    { id: 'l1', open: 'true' },
    { id: 'l1', open: true },
  ],
  [
    { id: 'l1', open: 1 },
    { id: 'l1', open: true },
  ],
  // Any text is true to a program that asks.
  [
    { id: 'l1', open: 'false' },
    { id: 'l1', open: false },
  ],
  [
    { id: 'l1', open: 0 },
    { id: 'l1', open: false },
  ],
  [{ id: 'l1', open: null }, { id: 'l1' }],
  [
    { id: 'l1', open: 'perhaps' },
    { id: 'l1', open: 'perhaps' },
  ],
  [
    { id: 'l1', inner: { id: 7, more: 1 } },
    { id: 'l1', inner: { id: '7', more: 1 } },
  ],
  [{ data: { id: 'l1', other: null } }, { id: 'l1', other: null }],
])('%j is read as %j', (json, item) => {
  expect(read(json)).toEqual(item);
});

test.each([[{ open: true }], [{ id: null }], [{ id: ['l1'] }], [[]]])('%j lacks what is promised', (json) => {
  expect(() => read(json)).toThrow(texts.status200LacksFields);
});
