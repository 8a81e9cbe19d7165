import { GATES, ID_FIELDS } from '../../src/assumptions/index.ts';
import { getTextField, isObject, type JsonObject, normalizeName } from '../../src/records/fields.ts';
import {
  ACCESS_FIELD_PATTERN,
  ACTIVITY_FIELDS,
  APPROVAL_BASIS_FIELDS,
  CHANGED_AT_FIELDS,
  DOCUMENT_FIELDS,
  EXPIRY_FIELDS,
  SENT_TEXT_FIELDS,
} from '../assumptions.ts';
import { hashCanonicalJson } from '../canonical-json.ts';
import { redactSecretFields } from '../result/redact-secrets.ts';
import type { StateProvider } from '../state/shared-state.ts';
import type { Approval } from '../tool/approval.ts';
import type { ActionDescription } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import { createConfirmationNonces } from './nonces.ts';
import { createDeclinedResult, createDeclineStore, createNotDoneResult } from './outcome.ts';
import { createConfirmTokens, type TokenFault, type TokenKind } from './token.ts';

export type Approvals = ReturnType<typeof createApprovals>;

const FAULT_MESSAGES: Readonly<Record<TokenFault | 'overtaken', string>> = {
  forged: 'was not issued by this server',
  expired: 'has expired; it is valid for ten minutes',
  used: 'was already used; it is valid for one call',
  other_tool: 'belongs to another tool',
  other_arguments: 'belongs to other arguments',
  other_key: 'belongs to another API key or sign-in',
  overtaken: 'is no longer needed: the action was confirmed by another call; see its result',
};

const TOKEN_LABELS: Readonly<Record<TokenKind, string>> = { preview: 'confirm_token', form: 'The form’s state' };

const ANSWER_LABELS: Readonly<Record<Exclude<Approval, 'not_needed'>, string>> = {
  form: 'The form’s answer',
  page: 'The page’s answer',
  callback: 'The answer of approve',
  token: TOKEN_LABELS.preview,
};

/** Shared parts of all channels: declines, single-use tokens, and the rule that one approval runs one action. */
export function createApprovals(options: { state: StateProvider; now: () => number }) {
  const { now } = options;
  const openStores = async () => {
    const state = await options.state();
    return {
      tokens: createConfirmTokens(state, { now }),
      declines: createDeclineStore(state, { now }),
      nonces: createConfirmationNonces(state, { now }),
    };
  };

  /** Result of a call whose effect a person declined within the last ten minutes. */
  async function findDecline({ effectKeys, coveringKeys }: ConfirmableCall): Promise<ConfirmationResult | undefined> {
    const secondsAgo = await (await openStores()).declines.find([...effectKeys, ...coveringKeys]);
    return secondsAgo === undefined ? undefined : createDeclinedResult(secondsAgo);
  }

  /** Nonce of a question that shows this description; an approval counts only for what the question showed. */
  async function getNonce({ idempotencyKey }: ConfirmableCall, description: ActionDescription): Promise<string> {
    return `${await (await openStores()).nonces.getCurrent(idempotencyKey)}~${hashDescription(description)}`;
  }

  return {
    findDecline,
    getNonce,
    async decline({ effectKeys }: ConfirmableCall): Promise<ConfirmationResult> {
      await (await openStores()).declines.add(effectKeys);
      return createDeclinedResult(0);
    },
    /**
     * Approves the call unless a person declined it meanwhile, or what it affects has changed since the question.
     * @throws ToolError if another approval came first.
     */
    async approve(
      call: ConfirmableCall,
      approvedBy: keyof typeof ANSWER_LABELS,
      confirmationNonce: string,
    ): Promise<ConfirmationResult> {
      const declined = await findDecline(call);
      if (declined) return declined;
      const [nonce = '', shown] = confirmationNonce.split('~');
      const description = await call.describe({ isRecheck: true });
      if (hashDescription(description) !== shown) return CHANGED;
      const { nonces } = await openStores();
      if (!(await nonces.consume(call.idempotencyKey, nonce)))
        throw createTokenError(ANSWER_LABELS[approvedBy], 'overtaken');
      const steps = Object.entries(description.basis ?? {}).map(([key, affected]) => [key, hashPlanStep(affected)]);
      return { approved: true, approvedBy, steps: Object.fromEntries(steps) };
    },
    async mintToken(kind: TokenKind, call: ConfirmableCall, description: ActionDescription): Promise<string> {
      const nonce = await getNonce(call, description);
      return (await openStores()).tokens.create(kind, call.binding, nonce);
    },
    /** @throws ToolError if the token is not valid for this call. */
    async redeemToken(kind: TokenKind, { binding }: ConfirmableCall, token: string) {
      const { tokens } = await openStores();
      const fault = await tokens.redeem(token, { kind, binding });
      if (fault) throw createTokenError(TOKEN_LABELS[kind], fault);
      return tokens.read(token);
    },
  };
}

function createTokenError(label: string, fault: TokenFault | 'overtaken'): ToolError {
  return new ToolError(
    'not_confirmed',
    `${label} ${FAULT_MESSAGES[fault]}. Nothing was done. To ask the user again, call with the same arguments and without a confirm_token.`,
    { fault },
  );
}

const CHANGED = createNotDoneResult(
  'changed',
  'What this action affects has changed or could not be read again since the user was asked, so their approval does not count. Call again to ask about the current state.',
);

const toNameSet = (names: readonly string[]) => new Set(names.map(normalizeName));
const decisiveNames = toNameSet([...APPROVAL_BASIS_FIELDS, ...SENT_TEXT_FIELDS]);
const changedAtNames = toNameSet(CHANGED_AT_FIELDS);
const documentNames = toNameSet(DOCUMENT_FIELDS);
const limitNames = toNameSet([...EXPIRY_FIELDS, ...GATES.visitors.names]);
const activityNames = toNameSet(ACTIVITY_FIELDS);

/** Keeps the values that decide about an approval, at any depth. */
function pickDecisive(value: unknown, isDecisive = false): unknown {
  if (Array.isArray(value)) return value.flatMap((inner) => pickDecisive(inner, isDecisive) ?? []);
  // A signed URL differs each time.
  if (!isObject(value)) return isDecisive ? redactSecretFields(value) : undefined;
  const isDocument = Object.keys(value).some((name) => documentNames.has(normalizeName(name)));
  // A signed URL has no ID, and another expiry at each read.
  const hasLimits = !isDocument && getTextField(value, ID_FIELDS) !== undefined;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const plainName = normalizeName(name);
    if (activityNames.has(plainName)) return [];
    const isKnown =
      decisiveNames.has(plainName) ||
      (isDocument && changedAtNames.has(plainName)) ||
      (hasLimits && limitNames.has(plainName)) ||
      // Not a number of downloads.
      (typeof inner !== 'number' && ACCESS_FIELD_PATTERN.test(name) && !/_(?:at|on)$/.test(name));
    return [[name, pickDecisive(inner, isKnown)]];
  });
  return Object.fromEntries(entries);
}

/** Hash of what decides about the approval: the headline, and the affected objects without their activity. */
function hashDescription({ headline, about = {}, basis = {} }: ActionDescription): string {
  return hashCanonicalJson({ headline, about: pickDecisive(about), basis: pickDecisive(basis) }).slice(0, 16);
}

/** Hash of what decides about a step of a plan. */
export function hashPlanStep(affected: JsonObject): string {
  return hashCanonicalJson({ affected: pickDecisive(affected) }).slice(0, 16);
}
