import { endOfString } from './json-depth.ts';

export type Id = string | number;

/** What stands at the top of one object of a text that is no message: enough to see whom it concerns, never to act on. */
export interface Envelope {
  readonly names: ReadonlySet<string>;
  /** Undefined where none can be told, or several. */
  readonly id: Id | undefined;
}

const ID_VALUE = /\s*:\s*(-?\d{1,15}|"[\w:.-]{1,128}")\s*(?=[,}])/y;
const COLON = /\s*:/y;

/** The objects of a text, or of its list: what is within them is passed over, and whether they are sound is not asked. */
export function envelopesIn(text: string): Envelope[] {
  const found: { names: Set<string>; ids: Id[] }[] = [];
  const top = text.trimStart().startsWith('[') ? 2 : 1;
  for (let at = 0, depth = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') {
      depth += 1;
      if (sign === '{' && depth === top) found.push({ names: new Set(), ids: [] });
    } else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === '"') {
      const end = endOfString(text, at);
      const one = depth === top ? found.at(-1) : undefined;
      const name = text.slice(at + 1, end);
      if (one && matchAt(COLON, text, end + 1)) {
        one.names.add(name);
        const value = name === 'id' ? matchAt(ID_VALUE, text, end + 1)?.[1] : undefined;
        if (value !== undefined) one.ids.push(idIn(value));
      }
      at = end;
    }
  }
  return found.map(({ names, ids }) => ({ names, id: ids.length === 1 ? ids[0] : undefined }));
}

/** Calls and notifications; one that is cut short may have got no further than what it is called with. */
export function isCall({ names }: Envelope): boolean {
  return names.has('method') || names.has('params');
}

export function isAnswer(one: Envelope): boolean {
  return !isCall(one) && (one.names.has('result') || one.names.has('error'));
}

/** What a matched id means: `007` is no JSON, and means a number all the same. */
export function idIn(value: string): Id {
  return value.startsWith('"') ? value.slice(1, -1) : Number(value);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
