/** The words of a web page or an XML answer, as they are read: no tags, no scripts, no styles. In linear time, whatever the text. */
export function htmlToText(markup: string): string {
  return stripTags(markup).replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi,
    (entity, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
      const character = code <= 0x10_ffff ? String.fromCodePoint(code) : ' ';
      // Those that move a cursor, turn the direction or are none by themselves.
      return /\p{C}/u.test(character) ? ' ' : character;
    },
  );
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function stripTags(markup: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const open = markup.indexOf('<', at);
    if (open < 0) return (text + markup.slice(at)).trim();
    text += `${markup.slice(at, open)} `;
    const [, hiddenTag] = /^<(script|style)\b/i.exec(markup.slice(open, open + 8)) ?? [];
    const end = hiddenTag === undefined ? markup.indexOf('>', open) : findTagEnd(hiddenTag, markup, open);
    // A tag that was cut off is no word, and nothing stands behind it.
    if (end < 0) return text.trim();
    at = end + 1;
  }
}

function findTagEnd(tag: string, markup: string, from: number): number {
  const closing = new RegExp(`</${tag}`, 'gi');
  closing.lastIndex = from;
  const found = closing.exec(markup);
  return found ? markup.indexOf('>', found.index) : -1;
}

/** Whether a text is a web page rather than an answer of an API. */
export function isWebPage(text: string, contentType = ''): boolean {
  const start = text.slice(0, 2048).trimStart();
  if (!start.startsWith('<')) return false;
  return /^text\/html\b|xhtml/i.test(contentType) || /<(?:!doctype\s+html|html|head|body)\b/i.test(start);
}
