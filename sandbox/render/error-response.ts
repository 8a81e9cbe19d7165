import { STATUS_CODES } from 'node:http';
import type { FieldError, Rejection } from '../base/rejection.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { getRejectionStatus, REJECTION_CODES } from './rejection-status.ts';
import { createJsonResponse, type HttpResponse } from './reply.ts';

/** Renders a rejection in the profile's form (§7: the error body is unspecified). */
export function renderRejection(rejection: Rejection, profile: SandboxProfile): HttpResponse {
  const status = getRejectionStatus(rejection.reason, profile);
  const code = REJECTION_CODES[rejection.reason];
  const { message, details } = rejection;
  const fields = details.length > 0 ? { details } : {};
  switch (profile.errors) {
    case 'json':
      return createJsonResponse({ status, value: { error: { code, message, ...fields } } });
    case 'flat':
      return createJsonResponse({ status, value: { code, message, statusCode: status, ...fields } });
    case 'list': {
      const entries = details.length > 0 ? details : [{ field: null, message }];
      const errors = entries.map((detail) => ({ code, title: code, detail: detail.message, field: detail.field }));
      return createJsonResponse({ status, value: { errors } });
    }
    case 'problem':
      return createJsonResponse({
        status,
        contentType: 'application/problem+json',
        value: { type: `urn:docshare:${code}`, title: STATUS_CODES[status], status, detail: message, ...fields },
      });
    case 'by-field':
      return createJsonResponse({
        status,
        value: details.length > 0 ? { errors: groupByField(details) } : { error: message },
      });
    case 'laravel':
      return createJsonResponse({
        status,
        value: { message, ...(details.length > 0 ? { errors: groupByField(details) } : {}) },
      });
    case 'fastapi':
      return createJsonResponse({
        status,
        value: {
          detail:
            details.length > 0
              ? details.map((detail) => ({ loc: ['body', detail.field], msg: detail.message, type: code }))
              : message,
        },
      });
    case 'json-api': {
      const errors =
        details.length > 0
          ? details.map((detail) => ({
              status: String(status),
              code,
              title: message,
              detail: detail.message,
              source: { pointer: `/data/attributes/${detail.field}` },
            }))
          : [{ status: String(status), code, title: STATUS_CODES[status], detail: message }];
      return createJsonResponse({ status, contentType: 'application/vnd.api+json', value: { errors } });
    }
    case 'texts':
      return createJsonResponse({
        status,
        value: {
          errors: details.length > 0 ? details.map((detail) => `${detail.field} ${detail.message}`) : [message],
        },
      });
    case 'zod': {
      const issues = details.map((detail) => ({ code, path: detail.field.split('.'), message: detail.message }));
      return createJsonResponse({ status, value: { success: false, error: { name: 'ZodError', message, issues } } });
    }
    case 'graphql': {
      const errors = (details.length > 0 ? details : [{ field: '', message }]).map((detail) => ({
        message: detail.message,
        ...(detail.field === '' ? {} : { path: [detail.field] }),
        extensions: { code },
      }));
      return createJsonResponse({ status, value: { data: null, errors } });
    }
    case 'text':
      return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${message}\n` };
    case 'html':
      return {
        status,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: `<!doctype html><title>${status} ${STATUS_CODES[status]}</title><h1>${STATUS_CODES[status]}</h1><p>${escapeHtml(message)}</p>\n`,
      };
  }
  throw new Error(`No error body "${profile.errors}"`);
}

function groupByField(details: readonly FieldError[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { field, message } of details) fields[field] = [...(fields[field] ?? []), message];
  return fields;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
