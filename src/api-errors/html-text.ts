/** Returns the readable text of a web page or XML, without tags, scripts and styles. Takes linear time. */
export function htmlToText(markup: string): string {
  return stripTags(markup).replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi,
    (entity, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
      const character = code <= 0x10_ffff ? String.fromCodePoint(code) : ' ';
      // Control characters move the cursor or change the text direction.
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
    // Text ends at a tag that was cut off.
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

/** Returns true if a text is a web page rather than an API response. */
export function isWebPage(text: string, contentType = ''): boolean {
  const start = text.slice(0, 2048).trimStart();
  if (!start.startsWith('<')) return false;
  return /^text\/html\b|xhtml/i.test(contentType) || /<(?:!doctype\s+html|html|head|body)\b/i.test(start);
}
