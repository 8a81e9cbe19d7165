/** The words of a web page, or of an XML answer, as a person reads them. */
import { expect, test } from 'vitest';
import { htmlToText } from '../../../../src/api-errors/html-text.ts';

test.each([
  ['plain words', 'plain words'],
  ['<Error><Code>NoRoom</Code><Message>It&#39;s full</Message></Error>', "NoRoom  It's full"],
  ['&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; &AMP;', '<b> & "c" \'d\' &'],
  ['&#x27;&#X27; &#1083; &#x1F600;', "'' л 😀"],
  ['&amp;lt;', '&lt;'],
  ['a&nbsp;b &unknown; &#xyz; & &#', 'a&nbsp;b &unknown; &#xyz; & &#'],
  ['bell&#7;, none&#x110000; none&#9999999;', 'bell , none  none '],
  ['<script>evil()</script>said<style>p{}</style>', 'said'],
  ['a&#x9b;31m b&#x202E;c &#xD800; d&#127;', 'a 31m b c   d '],
  ['cut <off', 'cut'],
])('%s', (markup, words) => {
  expect(htmlToText(markup)).toBe(words);
});
