/** Parts of the client that the app uses. The public entry point would pull undici into the zip. */

export { toSnakeCase } from '../../src/assumptions/writable-fields.ts';
export { defineClient } from '../../src/client.ts';
export { fetchUrl } from '../../src/download/download.ts';
export * from '../../src/errors.ts';
export { parseJsonExact } from '../../src/exact-json.ts';
export { detectFileKind, getFileKind, getMediaTypeByName } from '../../src/media-type.ts';
export { type OpenClient as Client, toOpenClient } from '../../src/open-client.ts';
export { operations } from '../../src/operations/index.ts';
export type { ListOptions, ListPromise } from '../../src/pagination/list-promise.ts';
export { isWholeList, type Page } from '../../src/pagination/page.ts';
export { isPageCursor, type PageCursor } from '../../src/pagination/page-cursor.ts';
export type { NotFullySearched, SearchResult } from '../../src/pagination/search-result.ts';
export {
  getCreatedAt,
  getField,
  getPersonName,
  getTextField,
  getTitle,
  getValueAtPath,
  idOf,
  includesName,
  isObject,
  type JsonObject,
  normalizeName,
  toIsoTime,
} from '../../src/records/fields.ts';
export type { RawRequest } from '../../src/request/raw-request.ts';
export { tryRequestBodies } from '../../src/request/try-request-bodies.ts';
export { cancelBody, peekBody, type Transport } from '../../src/transport/transport.ts';
export type { UploadSource } from '../../src/upload/file-source.ts';
export { parseWebhookUrl, parseWebUrl } from '../../src/web-url.ts';
export { parseEvents } from '../../src/webhooks/parse-event.ts';
export type { ServiceEvent } from '../../src/webhooks/webhook-delivery.ts';
