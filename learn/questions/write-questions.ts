import * as assumed from '../../src/assumptions/index.ts';
import { operations } from '../../src/operations/index.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { splitWords } from '../../src/split-words.ts';
import {
  addObservation,
  confirmed,
  confirmedIf,
  evaluateNames,
  findNames,
  formatAsCode,
  getFieldNames,
  notObserved,
} from './evaluate.ts';
import type { EvaluationResult, QuestionTable } from './question.ts';

/** Why nothing was written: in a run with --write, the flag is not the reason. */
const notProbed = ({ learned }: Pick<ServiceProfile, 'learned'>): EvaluationResult =>
  notObserved(
    learned.mode === 'write'
      ? 'The service accepted no such write, or can’t remove what it creates.'
      : '--write was not set.',
  );
const NO_EVENT = 'No event was delivered. Wait for one with --write --wait SECONDS.';
const WRITE_OPERATIONS = operations.filter(({ name }) =>
  /^(?:links|templates|webhooks)\.(?:create|update|delete)$/.test(name),
);
const getBodyKey = (body: object) => Object.keys(body).sort().join(' ');

export const WRITE_QUESTIONS: QuestionTable = {
  'upload-start': {
    topic: 'uploads',
    section: '§4',
    question: 'Which body does POST /documents/uploads accept?',
    assumptions: ['getUploadStartBodies'],
    evaluate: ({ learned, facts: { uploadStart } }) => {
      if (!uploadStart) return notProbed({ learned });
      const text = `Accepts ${formatAsCode(Object.keys(uploadStart)) || 'an empty body'}.`;
      const known = assumed.getUploadStartBodies({ name: '', type: '', size: 0 }).map(getBodyKey);
      return confirmedIf(known.includes(getBodyKey(uploadStart)), text);
    },
  },
  'upload-storage': {
    topic: 'uploads',
    section: '§4',
    question: 'Which headers does the storage require, where is it, and how does it respond?',
    assumptions: ['isUploadUrlExpired', 'MAX_MULTIPART_BYTES', 'UPLOAD_FALLBACK_STATUSES'],
    evaluate: ({ learned, facts: { upload } }) => {
      if (!upload) return notProbed({ learned });
      const { headers, stored, sameOrigin, ttlSeconds } = upload;
      const text = `Headers ${formatAsCode(headers)}, on ${sameOrigin ? 'the API’s' : 'another'} origin${ttlSeconds === undefined ? '' : `, valid for ${ttlSeconds} s`}${stored === undefined ? '' : `, stored with ${stored}`}.`;
      return confirmedIf(stored === undefined || (stored >= 200 && stored < 300), text);
    },
  },
  finalized: {
    topic: 'uploads',
    section: '§4',
    question: 'What does finalize return?',
    assumptions: ['FINALIZED_ID_FIELDS'],
    evaluate: ({ learned, operations: { 'documents.finalizeUpload': operationProfiles } }) => {
      if (!operationProfiles?.response) return notProbed({ learned });
      return evaluateNames([operationProfiles.response.body], {
        names: [...assumed.FINALIZED_ID_FIELDS, 'id'],
        label: 'The document',
      });
    },
  },
  bodies: {
    topic: 'writes',
    section: '§4',
    question: 'Which bodies do writes accept that the API document does not describe?',
    assumptions: splitWords(`
      FORM_BODIES FORM_FIELD_NAMES SIGNING_FIELDS TEMPLATE_FIELDS getSigningBodies getTemplateValueBodies mcp/REFERENCE_FIELDS
      mcp/DRAFT_RECIPIENT_FIELDS mcp/DRAFT_CONTENT_FIELDS
    `),
    evaluate: ({ learned, operations: operationProfiles }) => {
      const acceptedBodies = Object.entries(operationProfiles).flatMap(([name, one]) =>
        one?.requestBody ? [{ name, schema: one.requestBody }] : [],
      );
      if (acceptedBodies.length === 0) return notProbed({ learned });
      const known = [...Object.values(assumed.FORM_FIELD_NAMES).flat(), 'url', 'events', 'document_id'];
      const text = acceptedBodies
        .map(({ name, schema }) => `${name}: ${formatAsCode(getFieldNames([schema]))}`)
        .join('; ');
      const isKnown = acceptedBodies.every(({ schema }) => findNames([schema], known).length > 0);
      return confirmedIf(isKnown, `${text}.`);
    },
  },
  written: {
    topic: 'writes',
    section: '§7',
    question: 'What do create, update and delete return?',
    assumptions: ['isBodyRejected'],
    evaluate: ({ learned, operations: operationProfiles }) => {
      const seen = WRITE_OPERATIONS.flatMap(({ name }) => {
        const response = operationProfiles[name]?.response;
        return response ? [`${name}: ${response.status}${response.media === null ? ' without a body' : ''}`] : [];
      });
      return seen.length === 0 ? notProbed({ learned }) : confirmed(`${seen.join(', ')}.`);
    },
  },
  'webhook-body': {
    topic: 'webhooks',
    section: '§4',
    question: 'Which body does POST /webhooks accept?',
    assumptions: ['getWebhookBodies', 'WEBHOOK_URL_FIELDS'],
    evaluate: ({ learned, facts: { webhook } }) => {
      if (!webhook) return notProbed({ learned });
      const text = `Accepts ${formatAsCode(Object.keys(webhook))}.`;
      return confirmedIf(assumed.getWebhookBodies('', ['a']).map(getBodyKey).includes(getBodyKey(webhook)), text);
    },
  },
  'webhook-secret': {
    topic: 'webhooks',
    section: '§4',
    question: 'Where are the ID of a webhook and its signing secret?',
    assumptions: ['WEBHOOK_SECRET_FIELDS', 'SUBSCRIPTION_ID_FIELDS'],
    evaluate: ({ learned, facts: { webhookSecret } }) => {
      if (webhookSecret === undefined) return notProbed({ learned });
      if (webhookSecret === null) return confirmed('The response has no secret.');
      const text = `The secret is in ${formatAsCode([webhookSecret.join('.')])}.`;
      return confirmedIf(assumed.WEBHOOK_SECRET_FIELDS.includes(webhookSecret.at(-1) ?? ''), text);
    },
  },
  'event-shape': {
    topic: 'events',
    section: '§6',
    question: 'Which fields does a delivered event have?',
    assumptions: splitWords(`
      EVENT_KIND_FIELDS EVENT_KINDS PROBE_EVENT_PATTERN EVENT_SUBJECT_FIELDS EVENT_BATCH_FIELDS EVENT_ID_FIELDS
      EVENT_TIME_FIELDS EVENT_DATA_FIELDS EVENT_KIND_HEADERS DELIVERY_ID_HEADERS AGREEMENT_END_EVENTS
    `),
    evaluate: ({ facts: { event } }) => {
      if (!event) return notObserved(NO_EVENT);
      const names = [
        ...assumed.EVENT_KIND_FIELDS,
        ...assumed.EVENT_ID_FIELDS,
        ...assumed.EVENT_TIME_FIELDS,
        ...assumed.EVENT_DATA_FIELDS,
      ];
      const result = evaluateNames([event.body], { names, label: 'An event' });
      return addObservation(result, `Kinds: ${formatAsCode(event.kinds) || 'none of the assumed ones'}.`);
    },
  },
  'event-signature': {
    topic: 'events',
    section: '§6',
    question: 'How is a delivered event signed?',
    assumptions: ['STANDARD_WEBHOOK_HEADERS', 'isSignatureHeader'],
    evaluate: ({ facts: { event } }) => {
      if (!event) return notObserved(NO_EVENT);
      const text = `Signature: ${event.signature}${event.signatureHeader ? ` in ${formatAsCode([event.signatureHeader])}` : ''}.`;
      return confirmedIf(event.signature !== 'unknown', text);
    },
  },
};
