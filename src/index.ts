/** The public door of the client core. */
export type { Call, Client, ClientOptions, ListCall, Methods } from './client.ts';
export { defineClient } from './client.ts';
export type { Hooks, Logger, LogLevel, RequestOptions, ResponseHead, ResponseSeen } from './context.ts';
export { type CreateClientOptions, createClient } from './create-client.ts';
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
export { type EventKind, parseEvent, type ServiceEvent } from './events.ts';
export { createdAtOf, idOf, nameOf } from './fields.ts';
export { createLimiter, type Limiter, type Wait } from './limiter.ts';
export type { NextQuery, Page } from './list.ts';
export type { Document, UploadSession } from './operations/documents.ts';
export {
  catalogue,
  type Group,
  type NamedOperation,
  type OperationName,
  operations,
} from './operations/index.ts';
export type { Link } from './operations/links.ts';
export type { Effect, Operation } from './operations/operation.ts';
export type { RetryPolicy } from './retry.ts';
export { isScope, SCOPES, type Scope } from './scopes.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport.ts';
export { createUndiciTransport } from './undici-transport.ts';
export type { UploadOptions, UploadResult, UploadSource } from './upload.ts';
