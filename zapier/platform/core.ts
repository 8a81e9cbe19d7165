/** The parts of the client core that the app uses: its public door also brings undici, which has no place in the zip. */

export {
  createdAtOf,
  getField,
  getTextField,
  getTitle,
  getValueAtPath,
  idOf,
  isObject,
  type JsonObject,
  normalizeName,
  toIsoTime,
} from '../../src/answer/fields.ts';
export type { Page } from '../../src/answer/list.ts';
export type { ListOptions, ListPromise } from '../../src/answer/list-call.ts';
export { isPageCursor, type PageCursor } from '../../src/answer/onward.ts';
export { tryRequestBodies } from '../../src/call/first-accepted.ts';
export type { RawRequest } from '../../src/call/raw-request.ts';
export { type Client, defineClient } from '../../src/client.ts';
export { fetchUrl } from '../../src/download/download.ts';
export * from '../../src/errors.ts';
export type { ServiceEvent } from '../../src/events/delivery.ts';
export { parseEvents } from '../../src/events/parse-event.ts';
export { parseJsonExact } from '../../src/exact-json.ts';
export { operations } from '../../src/operations/index.ts';
export type { UploadSource } from '../../src/upload/file-source.ts';
export { cancelBody, type Transport } from '../../src/wire/transport.ts';
