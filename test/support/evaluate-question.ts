/** Observations of a service, and how a probe judges them. */
import { QUESTIONS } from '../../learn/questions/index.ts';
import type { ResponseShape, Schema, ServiceProfile } from '../../src/index.ts';
import { NOTHING_LEARNED } from './create-profile.ts';

const NOTHING: ServiceProfile = { ...NOTHING_LEARNED, learned: { ...NOTHING_LEARNED.learned, mode: 'read' } };

export const form = (...names: string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' } as Schema])),
});
export const answer = (more: Partial<ResponseShape> = {}): ResponseShape => ({
  status: 200,
  media: 'application/json',
  headers: {},
  seen: 1,
  ...more,
});

/** The verdict and its sentence for people. */
export function evaluateQuestion(name: string, learned: Partial<ServiceProfile>) {
  const { outcome, observation } =
    QUESTIONS.find((one) => one.name === name)?.evaluate({ ...NOTHING, ...learned }) ?? {};
  return `${outcome}: ${observation}`;
}
