import { STATUS_CODES } from 'node:http';
import type { Profile } from '../profile/switches.ts';
import { CODES, type Detail, getRejectionStatus, type Refusal } from '../refusal.ts';
import { jsonReply, type Reply } from './reply.ts';

/** A refusal in the form of the profile (§7: the shape of an error's body is not shown). */
export function answerRefusal(refusal: Refusal, profile: Profile): Reply {
  const status = getRejectionStatus(refusal.reason, profile);
  const code = CODES[refusal.reason];
  const { message, details } = refusal;
  const fields = details.length > 0 ? { details } : {};
  switch (profile.errors) {
    case 'json':
      return jsonReply({ status, value: { error: { code, message, ...fields } } });
    case 'flat':
      return jsonReply({ status, value: { code, message, statusCode: status, ...fields } });
    case 'list': {
      const each = details.length > 0 ? details : [{ field: null, message }];
      const errors = each.map((detail) => ({
        code,
        title: code,
        detail: detail.message,
        field: detail.field,
      }));
      return jsonReply({ status, value: { errors } });
    }
    case 'problem':
      return jsonReply({
        status,
        contentType: 'application/problem+json',
        value: {
          type: `urn:docshare:${code}`,
          title: STATUS_CODES[status],
          status,
          detail: message,
          ...fields,
        },
      });
    case 'by-field':
      return jsonReply({
        status,
        value: details.length > 0 ? { errors: byField(details) } : { error: message },
      });
    case 'laravel':
      return jsonReply({
        status,
        value: { message, ...(details.length > 0 ? { errors: byField(details) } : {}) },
      });
    case 'fastapi':
      return jsonReply({
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
      return jsonReply({ status, contentType: 'application/vnd.api+json', value: { errors } });
    }
    case 'texts':
      return jsonReply({
        status,
        value: {
          errors:
            details.length > 0 ? details.map((detail) => `${detail.field} ${detail.message}`) : [message],
        },
      });
    case 'zod': {
      const issues = details.map((detail) => ({
        code,
        path: detail.field.split('.'),
        message: detail.message,
      }));
      return jsonReply({ status, value: { success: false, error: { name: 'ZodError', message, issues } } });
    }
    case 'graphql': {
      const errors = (details.length > 0 ? details : [{ field: '', message }]).map((detail) => ({
        message: detail.message,
        ...(detail.field === '' ? {} : { path: [detail.field] }),
        extensions: { code },
      }));
      return jsonReply({ status, value: { data: null, errors } });
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

function byField(details: readonly Detail[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { field, message } of details) fields[field] = [...(fields[field] ?? []), message];
  return fields;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
