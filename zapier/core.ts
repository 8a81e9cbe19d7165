/** The parts of the client core that the app uses: its public door also brings undici, which has no place in the zip. */
export { type Client, defineClient } from '../src/client.ts';
export { fetchAddress } from '../src/download.ts';
export * from '../src/errors.ts';
export { parseEvents, type ServiceEvent } from '../src/events.ts';
export { fieldOf, isObject, type JsonObject, toIsoTime } from '../src/fields.ts';
export type { UploadSource } from '../src/file-source.ts';
export { firstAccepted } from '../src/first-accepted.ts';
export type { Page } from '../src/list.ts';
export type { ListCall } from '../src/list-call.ts';
export { operations } from '../src/operations/index.ts';
export type { RawRequest } from '../src/raw-request.ts';
export type { Transport } from '../src/transport.ts';
