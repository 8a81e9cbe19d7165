/** A parameter of a link to an empty page. */
const NO_RESULTS = /^results\s*=\s*"?false"?$/i;

/** Returns the relations of a `Link` header, in one pass: `</x?page=2>; title="a, b"; rel="next", <…>`. */
export function parseLinkHeader(header: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (let at = header.indexOf('<'); at >= 0; ) {
    const close = header.indexOf('>', at);
    if (close < 0) break;
    let end = findParamEnd(header, close + 1);
    let rels: readonly string[] = [];
    let hasResults = true;
    while (end < header.length) {
      const start = end + 1;
      const stop = findParamEnd(header, start);
      const param = header.slice(start, stop).trim();
      if (param.startsWith('<')) break;
      if (rels.length === 0) rels = parseRelations(param);
      if (NO_RESULTS.test(param)) hasResults = false;
      end = stop;
    }
    for (const rel of hasResults ? rels : []) if (!links.has(rel)) links.set(rel, header.slice(at + 1, close));
    at = header.indexOf('<', end);
  }
  return links;
}

/** Returns the index of the next `;` or `,` outside quotes. */
function findParamEnd(header: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < header.length; at += 1) {
    const character = header[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') at += 1;
    else if (!isQuoted && (character === ';' || character === ',')) return at;
  }
  return header.length;
}

function parseRelations(param: string): readonly string[] {
  const equals = param.indexOf('=');
  if (param.slice(0, Math.max(0, equals)).trim().toLowerCase() !== 'rel') return [];
  return param
    .slice(equals + 1)
    .replace(/["']/g, ' ')
    .trim()
    .toLowerCase()
    .split(/\s+/);
}
