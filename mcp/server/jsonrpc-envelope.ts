import { findStringEnd } from './json-limits.ts';

export type JsonRpcId = string | number;

/** Top-level keys and id of an object in malformed text: enough to attribute it, never to act on it. */
export interface JsonRpcEnvelope {
  readonly keys: ReadonlySet<string>;
  /** Undefined if there is none, or several. */
  readonly id: JsonRpcId | undefined;
}

const ID_VALUE = /\s*:\s*(-?\d{1,15}|"[\w:.-]{1,128}")\s*(?=[,}])/y;
const COLON = /\s*:/y;

/** Scans the top-level objects of a text or batch; their contents are skipped and not validated. */
export function parseEnvelopes(text: string): JsonRpcEnvelope[] {
  const found: { keys: Set<string>; ids: JsonRpcId[] }[] = [];
  const topDepth = text.trimStart().startsWith('[') ? 2 : 1;
  for (let index = 0, depth = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '{' || char === '[') {
      depth += 1;
      if (char === '{' && depth === topDepth) found.push({ keys: new Set(), ids: [] });
    } else if (char === '}' || char === ']') depth -= 1;
    else if (char === '"') {
      const end = findStringEnd(text, index);
      const envelope = depth === topDepth ? found.at(-1) : undefined;
      const key = text.slice(index + 1, end);
      if (envelope && matchAt(COLON, text, end + 1)) {
        envelope.keys.add(key);
        const value = key === 'id' ? matchAt(ID_VALUE, text, end + 1)?.[1] : undefined;
        if (value !== undefined) envelope.ids.push(parseId(value));
      }
      index = end;
    }
  }
  return found.map(({ keys, ids }) => ({ keys, id: ids.length === 1 ? ids[0] : undefined }));
}

/** Returns whether it is a call or notification; a truncated one may contain only its params. */
export function isCallEnvelope({ keys }: JsonRpcEnvelope): boolean {
  return keys.has('method') || keys.has('params');
}

export function isResponseEnvelope(envelope: JsonRpcEnvelope): boolean {
  return !isCallEnvelope(envelope) && (envelope.keys.has('result') || envelope.keys.has('error'));
}

/** `007` is not valid JSON, but means a number. */
export function parseId(value: string): JsonRpcId {
  return value.startsWith('"') ? value.slice(1, -1) : Number(value);
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}
