import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from './active-profile.ts';
import { fillTemplate, type PlaceholderValues } from './body-template.ts';
import type { Schema } from './json-schema.ts';

type RequestBodyFields = Readonly<Record<string, unknown>>;

/** Facts that hold a whole body, by operation, and their required placeholders. */
const TEMPLATES: {
  readonly [Name in OperationName]?: { fact: 'uploadStart' | 'webhook'; requiredPlaceholders: string[] };
} = {
  'documents.startUpload': { fact: 'uploadStart', requiredPlaceholders: [] },
  'webhooks.create': { fact: 'webhook', requiredPlaceholders: ['url', 'event'] },
};

/**
 * Orders candidate bodies: those that the service accepted, or the learned template with `placeholderValues`, come first.
 * Also returns the fact that decided the order; undefined if no fact did.
 */
export function orderBodies<Candidate extends RequestBodyFields>(
  activeProfile: ActiveProfile | undefined,
  operation: OperationName,
  { bodies, placeholderValues = {} }: { bodies: readonly Candidate[]; placeholderValues?: PlaceholderValues },
): { bodies: readonly (Candidate | RequestBodyFields)[]; fact?: string } {
  if (!activeProfile) return { bodies };
  const template = TEMPLATES[operation];
  if (template) {
    const fact = `facts.${template.fact}`;
    const bodyTemplate = activeProfile.profile.facts[template.fact];
    const body =
      bodyTemplate && activeProfile.isTrusted(fact)
        ? fillTemplate(bodyTemplate, placeholderValues, template.requiredPlaceholders)
        : undefined;
    if (body) {
      const matchingBody = bodies.find((one) => toComparableJson(one) === toComparableJson(body)) ?? body;
      return { bodies: [matchingBody, ...bodies.filter((one) => one !== matchingBody)], fact };
    }
  }
  const fact = `operations.${operation}.requestBody`;
  const requestSchema = activeProfile.isTrusted(fact) ? activeProfile.getOperation(operation)?.requestBody : undefined;
  if (!requestSchema?.properties) return { bodies };
  const acceptedBodies = bodies.filter((one) => isAccepted(requestSchema, one));
  return acceptedBodies.length === 0 || acceptedBodies.length === bodies.length
    ? { bodies }
    : { bodies: [...acceptedBodies, ...bodies.filter((one) => !acceptedBodies.includes(one))], fact };
}

function isAccepted({ properties = {} }: Schema, body: RequestBodyFields): boolean {
  return Object.entries(body).every(
    ([name, fieldValue]) => fieldValue === undefined || Object.hasOwn(properties, name),
  );
}

/** Ignores the order of fields. */
function toComparableJson(body: RequestBodyFields): string {
  return JSON.stringify(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)));
}
