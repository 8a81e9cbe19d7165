/** The public door of the client core. */

export { createdAtOf, idOf, nameOf } from './answer/fields.ts';
export type { Page } from './answer/list.ts';
export type { ListOptions, ListPromise } from './answer/list-call.ts';
export type { NextQuery } from './answer/next-address.ts';
export { getNote } from './answer/note.ts';
export type { PageCursor } from './answer/onward.ts';
export type { ApiPromise, ApiResponse, ResponseHead } from './answer/response-head.ts';
export type { RequestOptions } from './call/context.ts';
export type { CustomHeaders } from './call/headers.ts';
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
} from './call/hooks.ts';
export type { RawRequest, RawResponse } from './call/raw-request.ts';
export { type Client, type ClientOptions, defineClient } from './client.ts';
export { type CreateClientOptions, createClient, type DisposableClient } from './create-client.ts';
export type { Download, DownloadBody } from './download/download.ts';
export type { DownloadOptions } from './download/fetch-stored.ts';
export type { DownloadProgress } from './download/receive.ts';
export { sanitizeFileName } from './download/safe-name.ts';
export type { SavedFile, SaveOptions } from './download/save-to.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  DocshareError,
  type ErrorDetail,
  FileError,
  IncompleteListError,
  InputError,
  NetworkError,
  NotFoundError,
  type PendingUpload,
  PermissionError,
  RateLimitError,
  ServerError,
  SignatureError,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
  UploadError,
  ValidationError,
} from './errors.ts';
export type {
  EventKind,
  EventSecret,
  RawBody,
  ServiceEvent,
  SignatureOptions,
} from './events/delivery.ts';
export type { EventHeaders } from './events/event-headers.ts';
export { parseEvent, parseEvents, verifyEvent, verifyEvents } from './events/parse-event.ts';
export { type SignEventOptions, signEvent } from './events/sign-event.ts';
export type { SignatureStatus } from './events/signature.ts';
export type { LimitRequest, LimitStore } from './limit/limit-store.ts';
export { createLimiter, type Limiter, type LimiterOptions, type LimiterRunOptions } from './limit/limiter.ts';
export type { WaitReason } from './limit/schedule.ts';
export { openSqliteLimitStore } from './limit/sqlite-limit-store.ts';
export type { SharedLimit } from './limit/store-gate.ts';
export { LimiterWaitError, type Wait, type WaitOptions } from './limit/waiting.ts';
export type { Methods } from './methods.ts';
export type { Document, FilePart, UploadSession } from './operations/documents.ts';
export {
  catalogue,
  type Group,
  type NamedOperation,
  type OperationName,
  operations,
} from './operations/index.ts';
export type { Link } from './operations/links.ts';
export type { Effect, Operation } from './operations/operation.ts';
export { orderBodies } from './profile/bodies.ts';
export {
  getRequestFields,
  getResourceFields,
  getResourceName,
  getResponseFields,
  type ProfileField,
} from './profile/fields.ts';
export type {
  ListProfile,
  OperationProfile,
  RejectionKind,
  ResponseShape,
  ServiceFacts,
  ServiceProfile,
} from './profile/format.ts';
export { generateSample, type SampleOptions } from './profile/invent.ts';
export type { ActiveProfile, Contradiction } from './profile/learned.ts';
export { parseProfile, readProfile } from './profile/read-profile.ts';
export type { Schema } from './profile/schema.ts';
export type { RetryPolicy } from './retry/retry.ts';
export { isScope, SCOPES, type Scope } from './scopes.ts';
export type { BlobLike } from './upload/file-source.ts';
export type { FinalizedUpload, UploadResult } from './upload/finalize-upload.ts';
export type { UploadProgress } from './upload/transfer.ts';
export type { UploadOptions, UploadSource } from './upload/upload.ts';
export type { Transport, TransportRequest, TransportResponse } from './wire/transport.ts';
export { createUndiciTransport } from './wire/undici-transport.ts';
