/** The public door of the client core. */
export { type Client, type ClientOptions, defineClient, type Methods } from './client.ts';
export type { Hooks, Logger, LogLevel, RequestOptions, ResponseHead, ResponseSeen } from './context.ts';
export { type CreateClientOptions, createClient, type OwnedClient } from './create-client.ts';
export type { Download, DownloadBody } from './download.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  DocshareError,
  InputError,
  NetworkError,
  NotFoundError,
  type PendingUpload,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
  UploadError,
  ValidationError,
} from './errors.ts';
export { type EventHeaders, type EventKind, parseEvent, parseEvents, type ServiceEvent } from './events.ts';
export { createdAtOf, idOf, nameOf } from './fields.ts';
export type { Call } from './invoke.ts';
export type { LimitRequest, LimitStore } from './limit-store.ts';
export {
  createLimiter,
  type Limiter,
  type LimiterOptions,
  type LimiterRun,
  LimiterWaitError,
  type Wait,
} from './limiter.ts';
export type { NextQuery, Page } from './list.ts';
export type { ListCall } from './list-call.ts';
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
export type { RawAnswer, RawRequest } from './raw-request.ts';
export type { RetryPolicy } from './retry.ts';
export { isScope, SCOPES, type Scope } from './scopes.ts';
export { type SignEventOptions, signEvent } from './sign-event.ts';
export type { SignatureCheck } from './signature.ts';
export { openSqliteLimitStore } from './sqlite-limit-store.ts';
export type { Progress } from './transfer.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport.ts';
export { createUndiciTransport } from './undici-transport.ts';
export type { UploadOptions, UploadResult, UploadSource } from './upload.ts';
