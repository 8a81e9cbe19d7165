import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { escapeFormulas } from '../tool/headline.ts';

const MAX_TEXT_LENGTH = 300;

/**
 * Control, bidi and invisible characters, unusual spaces, and lookalikes of the closing quotation mark. Hebrew words may
 * contain one of these, `\u05f4`.
 */
const DECEPTIVE_CHARACTERS =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u02ba\u02dd\u02ee\u02f6\u2800\u201c-\u201f\u2033-\u2037\u275d\u275e\u301d-\u301f\u3003\uff02]|(?! )\p{Zs}|(?<!\p{sc=Hebr})\u05f4|\u05f4(?!\p{sc=Hebr})/gu;

/**
 * In a quotation, what would hide or replace text in hosts that render a question as Markdown: HTML tags and entities, link
 * targets, code fences, formulas, strikethrough (but not a `~` in a web address), and `\"`, which would seem to end it.
 */
const MARKUP =
  /\\.|<(?=[a-z/!?])(?!\w[^\s<>"'/]*@[^\s<>"'/]+>)|&(?=#?\w+;)|\((?<=\]\()|`{3,}|\$(?!\d)|(?<!:\/\/\S{0,200})~/gi;

const escapeCharacters = (match: string) =>
  [...Array(match.length).keys()]
    .map((index) => `\\u${match.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');

/** Returns the start of a text, without half a surrogate pair at its end. */
export function takeStart(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

export function clipText(text: string, limit = MAX_TEXT_LENGTH): string {
  return text.length > limit ? `${takeStart(text, limit)}…` : text;
}

/** Quotes text for a question on one line, so that nothing in it can end the quotation or hide what follows. */
export function quoteText(text: unknown, limit?: number): string {
  const quoted = quoteForPage(text, limit).replace(MARKUP, (match) => {
    if (match === '\\"') return escapeCharacters('"');
    return match.startsWith('\\') ? match : escapeCharacters(match);
  });
  return escapeFormulas(quoted);
}

/** Quotes text on one line for a page, which shows every character as it is; long text is shortened with a count. */
export function quoteForPage(text: unknown, limit = 200): string {
  const fullText = String(text);
  const clippedText = takeStart(fullText, limit);
  const omitted = fullText.length - clippedText.length;
  const quotedText = `"${JSON.stringify(clippedText).slice(1, -1).replace(DECEPTIVE_CHARACTERS, escapeCharacters)}"`;
  return omitted > 0 ? `${quotedText} (${omitted} more characters not shown)` : quotedText;
}

/** Quotes text with its email addresses in ASCII: letters of other scripts may look the same. */
export function quoteTextWithEmails(text: string): string {
  const toAscii = (address: string) => address.replace(/[^ -~]/g, escapeCharacters);
  return quoteText(text, text.length).replace(/\S*@\S*/g, toAscii);
}

/** JSON on one line, with hidden characters and those that change the reading direction escaped. */
function toVisibleJson(value: unknown): string {
  return JSON.stringify(value).replace(DECEPTIVE_CHARACTERS, escapeCharacters);
}

const MAX_DEPTH = 6;

/** How much of each field is shown; `characters` limits each string. */
interface DetailLimits {
  readonly lines: number;
  readonly characters: number;
  /** Default: `quoteText`. */
  readonly quote?: typeof quoteText;
}

/** Every argument value on its own line, with its path. */
export function formatArguments(args: JsonObject, { lines: maxLines, ...format }: DetailLimits): string[] {
  const { fields, ...others } = args;
  // An object of the service may have a list of this name.
  const [named, nested] = isObject(fields) ? [others, fields] : [args, {}];
  const entries: [path: string, value: unknown][] = [
    ...Object.entries(named).map(([name, value]): [string, unknown] => [quoteName(name), value]),
    ...Object.entries(nested).map(([name, value]): [string, unknown] => [`fields.${quoteName(name)}`, value]),
  ];
  // Limited per field, so that none can push another out of sight.
  return entries.flatMap(([path, value]) => {
    const lines = [...iterateLeaves({ path, value, depth: 0, ...format })];
    const omitted = lines.length - maxLines;
    return omitted > 0 ? [...lines.slice(0, maxLines), `${path}: ${omitted} more values not shown`] : lines;
  });
}

function* iterateLeaves(
  at: Omit<DetailLimits, 'lines'> & { path: string; value: unknown; depth: number },
): Generator<string> {
  const { path, value, characters, quote = quoteText } = at;
  if (value === undefined) return;
  const depth = at.depth + 1;
  if (depth > MAX_DEPTH) yield `${path}: ${quote(JSON.stringify(value), characters)}`;
  else if (Array.isArray(value) && value.length > 0) {
    for (const [index, element] of value.entries())
      yield* iterateLeaves({ ...at, path: `${path}[${index}]`, value: element, depth });
  } else if (isObject(value) && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value))
      yield* iterateLeaves({ ...at, path: `${path}.${quoteName(name)}`, value: inner, depth });
  } else yield `${path}: ${typeof value === 'string' ? quote(value, characters) : toVisibleJson(value)}`;
}

function quoteName(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : quoteText(name, 64);
}
