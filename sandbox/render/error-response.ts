import { STATUS_CODES } from 'node:http';
import type { FieldError, Rejection } from '../base/rejection.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { createJsonResponse, type HttpResponse } from './http-response.ts';
import { getRejectionCode, getRejectionStatus } from './rejection-status.ts';

/** Renders a rejection in the profile's form (§7: the error body is unspecified). */
export function renderRejection(rejection: Rejection, profile: SandboxProfile): HttpResponse {
  const { message, details } = rejection;
  const status = getRejectionStatus(rejection.reason, profile);
  const code = getRejectionCode(rejection.reason);
  const title = STATUS_CODES[status];
  const hasDetails = details.length > 0;
  const fields = hasDetails ? { details } : {};
  const json = (value: object, contentType?: string) => createJsonResponse({ status, value, contentType });
  switch (profile.errors) {
    case 'json':
      return json({ error: { code, message, ...fields } });
    case 'flat':
      return json({ code, message, statusCode: status, ...fields });
    case 'list': {
      const entries = hasDetails ? details : [{ field: null, message }];
      return json({
        errors: entries.map((detail) => ({ code, title: code, detail: detail.message, field: detail.field })),
      });
    }
    case 'problem': {
      const type = `urn:docshare:${code}`;
      return json({ type, title, status, detail: message, ...fields }, 'application/problem+json');
    }
    case 'by-field':
      return json(hasDetails ? { errors: groupByField(details) } : { error: message });
    case 'laravel':
      return json({ message, ...(hasDetails ? { errors: groupByField(details) } : {}) });
    case 'fastapi': {
      const entries = details.map((detail) => ({ loc: ['body', detail.field], msg: detail.message, type: code }));
      return json({ detail: hasDetails ? entries : message });
    }
    case 'json-api': {
      const common = { status: String(status), code };
      const entries = details.map((detail) => ({
        ...common,
        title: message,
        detail: detail.message,
        source: { pointer: `/data/attributes/${detail.field}` },
      }));
      const errors = hasDetails ? entries : [{ ...common, title, detail: message }];
      return json({ errors }, 'application/vnd.api+json');
    }
    case 'texts':
      return json({ errors: hasDetails ? details.map((detail) => `${detail.field} ${detail.message}`) : [message] });
    case 'zod': {
      const issues = details.map((detail) => ({ code, path: detail.field.split('.'), message: detail.message }));
      return json({ success: false, error: { name: 'ZodError', message, issues } });
    }
    case 'graphql': {
      const errors = details.map((detail) => ({ message: detail.message, path: [detail.field], extensions: { code } }));
      return json({ data: null, errors: hasDetails ? errors : [{ message, extensions: { code } }] });
    }
    case 'text':
      return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${message}\n` };
    case 'html': {
      const body = `<!doctype html><title>${status} ${title}</title><h1>${title}</h1><p>${escapeHtml(message)}</p>\n`;
      return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
    }
  }
}

function groupByField(details: readonly FieldError[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { field, message } of details) fields[field] = [...(fields[field] ?? []), message];
  return fields;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
