/** Public API of the package. */

export { type Client, type ClientOptions, defineClient } from './client.ts';
export { type CreateClientOptions, createClient, type DisposableClient } from './create-client.ts';
export type { Download, DownloadBody } from './download/download.ts';
export type { DownloadOptions } from './download/fetch-from-storage.ts';
export type { DownloadProgress } from './download/receive-file.ts';
export { sanitizeFileName } from './download/sanitize-file-name.ts';
export type { SavedFile, SaveOptions } from './download/save-download.ts';
export * from './errors.ts';
export * from './methods.ts';
export type { FilePart } from './operations/documents.ts';
export {
  catalog,
  type Group,
  type NamedOperation,
  type OperationName,
  operations,
} from './operations/index.ts';
export * from './operations/inputs.ts';
export * from './operations/objects.ts';
export type { Effect, Operation } from './operations/operation.ts';
export type { ListOptions, ListPromise } from './pagination/list-promise.ts';
export type { NextQuery } from './pagination/next-url.ts';
export type { CompletePage, IncompletePage, Page } from './pagination/page.ts';
export { isPageCursor, type PageCursor } from './pagination/page-cursor.ts';
export type { NotFullySearched, SearchResult } from './pagination/search-result.ts';
export type { ActiveProfile, Contradiction } from './profile/active-profile.ts';
export { generateSample, type SampleOptions } from './profile/generate-sample.ts';
export type { Schema } from './profile/json-schema.ts';
export { orderBodies } from './profile/order-bodies.ts';
export {
  getRequestFields,
  getResourceFields,
  getResourceName,
  getResponseFields,
  type ProfileField,
} from './profile/profile-fields.ts';
export { parseProfile, readProfile } from './profile/read-profile.ts';
export type {
  ListProfile,
  OperationProfile,
  RejectionKind,
  ResponseShape,
  ServiceFacts,
  ServiceProfile,
} from './profile/service-profile.ts';
export type { LimitRequest, LimitStore } from './rate-limit/limit-store.ts';
export {
  createLimiter,
  type Limiter,
  type LimiterOptions,
  type LimiterRunOptions,
} from './rate-limit/limiter.ts';
export type { WaitReason } from './rate-limit/schedule.ts';
export type { SharedLimit } from './rate-limit/shared-limiter.ts';
export { openSqliteLimitStore } from './rate-limit/sqlite-limit-store.ts';
export { LimiterWaitError, type Wait, type WaitOptions } from './rate-limit/wait-queue.ts';
export { getCreatedAt, getName, idOf } from './records/fields.ts';
export type { RequestOptions } from './request/client-context.ts';
export type { CustomHeaders } from './request/custom-headers.ts';
export type {
  CallEndEvent,
  CallEvent,
  ContradictionEvent,
  Hooks,
  Logger,
  LogLevel,
  RequestEndEvent,
  RequestEvent,
  RequestOutcome,
  ResponseEvent,
  RetryEvent,
  WaitEvent,
} from './request/hooks.ts';
export type { RawRequest, RawResponse } from './request/raw-request.ts';
export { getNote } from './response/note.ts';
export type { ApiPromise, ApiResponse, ResponseHead } from './response/response-head.ts';
export type { RetryPolicy } from './retry/retry.ts';
export { isScope, SCOPES, type Scope } from './scopes.ts';
export { createFetchTransport, type FetchTransportOptions } from './transport/fetch-transport.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts';
export { createUndiciTransport } from './transport/undici-transport.ts';
export type { BlobLike } from './upload/file-source.ts';
export type { FinalizedUpload, UploadResult } from './upload/finalize-upload.ts';
export type { UploadOptions, UploadSource } from './upload/upload.ts';
export type { UploadProgress } from './upload/upload-transfer.ts';
export type { SignatureStatus } from './webhooks/check-signature.ts';
export type { EventHeaders } from './webhooks/event-headers.ts';
export { parseEvent, parseEvents, verifyEvent, verifyEvents } from './webhooks/parse-event.ts';
export { type SignEventOptions, signEvent } from './webhooks/sign-event.ts';
export type {
  EventKind,
  EventSecret,
  RawBody,
  ServiceEvent,
  SignatureOptions,
} from './webhooks/webhook-delivery.ts';
