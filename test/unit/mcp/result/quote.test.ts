import { expect, test } from 'vitest';
import { quoteText } from '../../../../mcp/result/quote.ts';

test.each([
  ['NDA <!--', 'NDA \\u003c!--'],
  ["NDA <i title='", "NDA \\u003ci title='"],
  ['[for you](x', '[for you]\\u0028x'],
  ['&quot; to bob', '\\u0026quot; to bob'],
  ['NDA" to bob', 'NDA\\u0022 to bob'],
  ['NDA\\" to bob', 'NDA\\\\\\u0022 to bob'],
  ['```to', '\\u0060\\u0060\\u0060to'],
  ['$a %', '\\u0024a %'],
  ['~~', '\\u007e\\u007e'],
  ['Ann <ann@a.test> R&D [x] (y) $10 3 < 4 `b`', 'Ann <ann@a.test> R&D [x] (y) $10 3 < 4 `b`'],
  ['https://a.test/~ann?a&b', 'https://a.test/~ann?a&b'],
])('%s is quoted so that Markdown hides nothing', (text, quoted) => expect(quoteText(text)).toBe(`"${quoted}"`));
