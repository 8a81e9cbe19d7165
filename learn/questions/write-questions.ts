import {
  EVENT_DATA_FIELDS,
  EVENT_ID_FIELDS,
  EVENT_KIND_FIELDS,
  EVENT_TIME_FIELDS,
  FINALIZED_ID_FIELDS,
  FORM_FIELD_NAMES,
  uploadStartBodies,
  WEBHOOK_SECRET_FIELDS,
  webhookBodies,
} from '../../src/assumptions/index.ts';
import {
  confirmed,
  confirmedIf,
  different,
  evaluateNames,
  findNames,
  formatCodes,
  getFieldNames,
  notObserved,
} from './evaluate.ts';
import type { Question } from './question.ts';

const NOT_PROBED = '--write was not given, or nothing of the kind could be removed again.';
const getBodyKey = (body: object) => Object.keys(body).sort().join(' ');

export const WRITE_QUESTIONS: readonly Question[] = [
  {
    name: 'upload-start',
    topic: 'uploads',
    section: '§4',
    question: 'Which body does POST /documents/uploads take?',
    assumptions: ['uploadStartBodies'],
    mode: 'write',
    probe:
      'The usual bodies are sent in turn until one is taken. A session that nobody finalizes leaves no document.',
    confirmedWhen: 'One of the assumed bodies is taken.',
    evaluate: ({ facts: { uploadStart } }) => {
      if (!uploadStart) return notObserved(NOT_PROBED);
      const text = `It takes ${formatCodes(Object.keys(uploadStart)) || 'an empty body'}.`;
      const known = uploadStartBodies({ name: '', type: '', size: 0 }).map(getBodyKey);
      return confirmedIf(known.includes(getBodyKey(uploadStart)), text);
    },
  },
  {
    name: 'upload-storage',
    topic: 'uploads',
    section: '§4',
    question: 'Which headers does the storage want, where is it, and how does it answer?',
    assumptions: ['isSessionExpired', 'MAX_MULTIPART_BYTES', 'UPLOAD_FALLBACK_STATUSES'],
    mode: 'write',
    probe: 'A few bytes are sent to the address of the session.',
    confirmedWhen: 'The bytes are stored with the headers that were given.',
    evaluate: ({ facts: { upload } }) => {
      if (!upload) return notObserved(NOT_PROBED);
      const { headers, stored, sameOrigin, ttlSeconds } = upload;
      const text = `Headers ${formatCodes(headers)}, ${sameOrigin ? 'on the API’s own origin' : 'on another origin'}${ttlSeconds === undefined ? '' : `, for ${ttlSeconds} s`}${stored === undefined ? '' : `, stored with ${stored}`}.`;
      return confirmedIf(stored === undefined || (stored >= 200 && stored < 300), text);
    },
  },
  {
    name: 'finalized',
    topic: 'uploads',
    section: '§4',
    question: 'What does finalize answer?',
    assumptions: ['FINALIZED_ID_FIELDS'],
    mode: 'write',
    probe:
      'Only where the service removes documents: an upload of a few bytes is finalized, and the document removed.',
    confirmedWhen: 'The document’s id stands under an assumed name.',
    evaluate: ({ operations: { 'documents.finalizeUpload': operationProfiles } }) => {
      if (!operationProfiles?.answer || operationProfiles.answer.seen === 0) return notObserved(NOT_PROBED);
      return evaluateNames([operationProfiles.answer.body], {
        names: [...FINALIZED_ID_FIELDS, 'id'],
        label: 'The document',
      });
    },
  },
  {
    name: 'bodies',
    topic: 'writes',
    section: '§4',
    question: 'Which bodies do the writes take, whose bodies the document does not state?',
    assumptions: [
      'FORM_BODIES',
      'FORM_FIELD_NAMES',
      'SIGNING_FIELDS',
      'getSigningBodies',
      'mcp/REFERENCE_FIELDS',
      'mcp/DRAFT_RECIPIENT_FIELDS',
    ],
    mode: 'write',
    probe: 'The usual bodies are sent in turn until one is taken; what it made is removed.',
    confirmedWhen: 'Every kind that was tried took a body of assumed names.',
    evaluate: ({ operations: operationProfiles }) => {
      const acceptedBodies = Object.entries(operationProfiles).flatMap(([name, one]) =>
        one?.takes ? [{ name, schema: one.takes }] : [],
      );
      if (acceptedBodies.length === 0) return notObserved(NOT_PROBED);
      const known = [...Object.values(FORM_FIELD_NAMES).flat(), 'url', 'events', 'document_id'];
      const text = acceptedBodies
        .map(({ name, schema }) => `${name}: ${formatCodes(getFieldNames([schema]))}`)
        .join('; ');
      return acceptedBodies.every(({ schema }) => findNames([schema], known).length > 0)
        ? confirmed(`${text}.`)
        : different(`${text}.`);
    },
  },
  {
    name: 'written',
    topic: 'writes',
    section: '§7',
    question: 'What do a creation, an update and a deletion answer?',
    assumptions: ['isBodyRejected'],
    mode: 'write',
    probe: 'Throwaway objects are made, changed and removed.',
    confirmedWhen: 'A 2xx in each case.',
    evaluate: ({ operations: operationProfiles }) => {
      const seen = (
        [
          'links.create',
          'links.update',
          'links.delete',
          'templates.create',
          'templates.update',
          'templates.delete',
          'webhooks.create',
          'webhooks.delete',
        ] as const
      ).flatMap((name) => {
        const response = operationProfiles[name]?.answer;
        return response && response.seen > 0
          ? [`${name}: ${response.status}${response.media === null ? ' without a body' : ''}`]
          : [];
      });
      return seen.length === 0 ? notObserved(NOT_PROBED) : confirmed(`${seen.join(', ')}.`);
    },
  },
  {
    name: 'webhook-body',
    topic: 'webhooks',
    section: '§4',
    question: 'Which body does POST /webhooks take?',
    assumptions: ['webhookBodies'],
    mode: 'write',
    probe: 'The usual bodies are sent in turn until one is taken; the registration is removed.',
    confirmedWhen: 'One of the assumed bodies is taken.',
    evaluate: ({ facts: { webhook } }) => {
      if (!webhook) return notObserved(NOT_PROBED);
      const text = `It takes ${formatCodes(Object.keys(webhook))}.`;
      return confirmedIf(webhookBodies('', ['a']).map(getBodyKey).includes(getBodyKey(webhook)), text);
    },
  },
  {
    name: 'webhook-secret',
    topic: 'webhooks',
    section: '§4',
    question: 'Where does a registration hold its id, and the secret that signs its deliveries?',
    assumptions: ['WEBHOOK_SECRET_FIELDS', 'SUBSCRIPTION_ID_FIELDS'],
    mode: 'write',
    probe: 'The answer to a throwaway registration.',
    confirmedWhen: 'A secret under an assumed name, or none.',
    evaluate: ({ facts: { webhookSecret } }) => {
      if (webhookSecret === undefined) return notObserved(NOT_PROBED);
      if (webhookSecret === null) return confirmed('The answer holds no secret.');
      const text = `The secret stands under ${formatCodes([webhookSecret.join('.')])}.`;
      return confirmedIf(WEBHOOK_SECRET_FIELDS.includes(webhookSecret.at(-1) ?? ''), text);
    },
  },
  {
    name: 'event-shape',
    topic: 'events',
    section: '§6',
    question: 'What does a delivered event hold, and under which names?',
    assumptions: [
      'EVENT_KIND_FIELDS',
      'EVENT_KINDS',
      'PROBE_EVENT',
      'EVENT_SUBJECT_FIELDS',
      'EVENT_BATCH_FIELDS',
      'EVENT_ID_FIELDS',
      'EVENT_TIME_FIELDS',
      'EVENT_DATA_FIELDS',
      'EVENT_KIND_HEADERS',
      'DELIVERY_ID_HEADERS',
      'AGREEMENT_END_EVENTS',
    ],
    mode: 'visit',
    probe:
      'With --write and --wait: a throwaway webhook receives what a visit or a signature that you make sends.',
    confirmedWhen: 'Kind, id, time and data stand under assumed names.',
    evaluate: ({ facts: { event } }) => {
      if (!event) return notObserved('No event was delivered; --write --wait SECONDS waits for one.');
      const names = [...EVENT_KIND_FIELDS, ...EVENT_ID_FIELDS, ...EVENT_TIME_FIELDS, ...EVENT_DATA_FIELDS];
      const result = evaluateNames([event.body], { names, label: 'An event' });
      return {
        ...result,
        observation: `${result.observation} Kinds: ${formatCodes(event.kinds) || 'none that is assumed'}.`,
      };
    },
  },
  {
    name: 'event-signature',
    topic: 'events',
    section: '§6',
    question: 'How is a delivered event signed?',
    assumptions: ['STANDARD_WEBHOOK_HEADERS', 'isSignatureHeader'],
    mode: 'visit',
    probe:
      'The signature of a delivered event is checked with the secret of the registration, by each known scheme.',
    confirmedWhen: 'A known scheme fits, or none is there.',
    evaluate: ({ facts: { event } }) => {
      if (!event) return notObserved('No event was delivered; --write --wait SECONDS waits for one.');
      const text = `Signed by ${event.signature}${event.signatureHeader ? ` in ${formatCodes([event.signatureHeader])}` : ''}.`;
      return event.signature === 'unknown' ? different(text) : confirmed(text);
    },
  },
];
