import { expect, test } from 'vitest';
import { formatPreview } from '../../../../mcp/confirm/preview.ts';
import { texts } from '../../../mcp/texts.ts';

test('a preview shows every field that is sent, and too many fields are rejected', () => {
  const send = { headline: 'Send it.' };
  expect(formatPreview({ ...send, about: { note: 'x' } }, {})).toBe('Send it.\nFrom the service:\n- note: "x"');
  expect(formatPreview(send, {})).toBe('Send it.');
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, 'y'.repeat(500)]));
  const preview = formatPreview(send, { fields });
  expect(preview.split('\n')).toHaveLength(2 + 100);
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`field${at}`, 'y']));
  expect(() => formatPreview(send, { fields: many })).toThrow(texts.tooManyUserReview);
});
