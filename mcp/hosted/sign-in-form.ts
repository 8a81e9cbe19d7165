import { z } from 'zod';
import { SCOPES, type Scope } from '../../src/scopes.ts';
import { parseWorkspaceName, WORKSPACE_NAME_RULE } from '../account/workspaces.ts';
import { AuthorizationRequest } from './oauth/authorization-request.ts';
import type { AddWorkspaceProblem } from './pages/add-workspace-page.ts';

/** State of a sign-in, carried through its pages in encrypted form. */
export const SignInForm = z.object({
  authorization: AuthorizationRequest,
  browser: z.string(),
  /** Workspaces whose keys were accepted. A single one has no name. */
  workspaces: z
    .array(z.object({ name: z.string(), apiKey: z.string(), deniedScopes: z.array(z.enum(SCOPES)) }))
    .default([]),
  /** Choices on the consent page, kept while a workspace is added. */
  choices: z.object({ groups: z.array(z.string()), readOnly: z.boolean(), confirm: z.string() }).optional(),
});
export type SignInForm = z.infer<typeof SignInForm>;

export const MAX_WORKSPACES = 5;
/** All keys of a sign-in: they travel in tokens, and tokens in headers. */
const MAX_KEYS_LENGTH = 2048;

export function parseConsentChoices(data: URLSearchParams): NonNullable<SignInForm['choices']> {
  const [readOnly, confirm] = [data.get('changes') !== 'yes', data.get('confirm') ?? ''];
  return { groups: data.getAll('group'), readOnly, confirm };
}

/** Scopes that no key has. */
export function getDeniedScopes({ workspaces }: SignInForm): readonly Scope[] {
  return SCOPES.filter((scope) => workspaces.every(({ deniedScopes }) => deniedScopes.includes(scope)));
}

/** Returns why a key can't be added to a sign-in, before it is checked with the service. */
export function findKeyProblem({ workspaces }: SignInForm, key: string): string | undefined {
  const keys = [...workspaces.map(({ apiKey }) => apiKey), key];
  if (keys.join('').length > MAX_KEYS_LENGTH)
    return workspaces.length === 0
      ? 'This is too long for an API key. Copy it again.'
      : `The keys have more than ${MAX_KEYS_LENGTH} characters together, too many for one sign-in. Sign in to this workspace separately.`;
  if (new Set(keys).size < keys.length) return 'This key was already added. Enter the key of another workspace.';
  return workspaces.length === MAX_WORKSPACES ? `A sign-in has at most ${MAX_WORKSPACES} workspaces.` : undefined;
}

/** Parses one name per workspace, as typed. Returns the first name that can't be used as a problem. */
export function parseWorkspaceNames(
  typed: readonly string[],
): { names: readonly string[] } | { problem: AddWorkspaceProblem } {
  const names = typed.map(parseWorkspaceName);
  const nameIndex = names.findIndex((name, index) => name === undefined || names.indexOf(name) < index);
  if (nameIndex < 0) return { names: names.filter((name) => name !== undefined) };
  const message =
    names[nameIndex] === undefined
      ? `Each workspace needs a name of ${WORKSPACE_NAME_RULE}.`
      : 'Two workspaces have the same name. Names must differ in more than case.';
  return { problem: { message, nameIndex } };
}
