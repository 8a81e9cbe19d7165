import type { Scope } from '../../../src/scopes.ts';
import type { Accounts } from '../../account/account.ts';
import type { Command } from '../../server/parse-command-line.ts';
import type { StateProvider } from '../../state/shared-state.ts';
import { checkKey } from '../oauth/check-key.ts';
import type { Grants } from '../oauth/grants.ts';
import { hashClientId } from '../oauth/oauth-clients.ts';
import {
  checkResource,
  getRequiredParameter,
  getSingleParameter,
  type TokenRequest,
} from '../oauth/oauth-parameters.ts';
import { OAuthRequestError } from '../oauth/oauth-request-error.ts';
import { parseScopes, type ScopeCatalog } from '../oauth/scope-selection.ts';
import type { AccessTokenResponse, Grant, Tokens } from '../oauth/tokens.ts';
import { createAssertionVerifier } from './assertions.ts';
import { createClientAuthentication } from './client-authentication.ts';
import type { Organization, Role } from './organization-file.ts';

const ASSERTION_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const AGENT_GRANT = 'client_credentials';

/** A role's key is checked again after this time. */
const KEY_CHECK_TTL_MS = 10 * 60_000;

/** Sign-ins without a page: employees by an assertion of their identity provider, agents by their own credentials. */
export function createOrganizationSignIn(options: {
  organization: Organization;
  issuer: string;
  resource: string;
  accounts: Accounts;
  grants: Grants;
  tokens: Tokens;
  scopeCatalog: ScopeCatalog;
  command: Pick<Command, 'confirm'>;
  state: StateProvider;
  now: () => number;
}) {
  const { organization, resource, accounts, grants, tokens, scopeCatalog, command, now } = options;
  const { identity_provider: identityProvider } = organization;
  const clients = createClientAuthentication(options);
  const assertions = identityProvider && createAssertionVerifier({ ...options, identityProvider });
  const checkedKeys = new Map<string, number>();

  /** @throws OAuthRequestError if the service rejects the role's key */
  async function requireValidKey({ name, api_key: key }: Role): Promise<void> {
    // A key that was rejected meanwhile ends its sign-ins at once, until it is accepted again.
    if ((checkedKeys.get(key) ?? 0) > now() && !(await grants.isKeyRejected(key).catch(() => false))) return;
    const check = await checkKey(accounts.get(key), scopeCatalog.scopes);
    if (!check.isValid)
      throw new OAuthRequestError(
        'temporarily_unavailable',
        `The key of the role ${name} can’t be used. ${check.message}`,
        503,
      );
    await grants.acceptKey(key);
    checkedKeys.set(key, now() + KEY_CHECK_TTL_MS);
  }

  async function issue(
    role: Role,
    signIn: {
      clientId: string;
      name: string;
      place: string;
      subject: string;
      readOnly: boolean;
      scopes: (string | undefined)[];
    },
  ): Promise<AccessTokenResponse> {
    await requireValidKey(role);
    const readOnly = role.read_only || signIn.readOnly;
    const allowed = scopeCatalog.groups.flatMap(({ reads, writes }) => (readOnly ? reads : [...reads, ...writes]));
    const limits: (readonly Scope[])[] = [allowed, ...(role.scopes ? [role.scopes] : [])];
    for (const text of signIn.scopes) if (text?.trim()) limits.push(parseScopes(text, scopeCatalog.scopes));
    const scopes = scopeCatalog.scopes.filter((scope) => limits.every((limit) => limit.includes(scope)));
    if (scopes.length === 0)
      throw new OAuthRequestError('invalid_scope', 'None of the requested scopes is allowed for this role.');
    const grant: Grant = {
      id: grants.create(),
      key: role.api_key,
      client: hashClientId(signIn.clientId),
      name: signIn.name,
      place: signIn.place,
      scopes,
      declined: scopeCatalog.scopes.filter((scope) => !scopes.includes(scope)),
      readOnly,
      confirm: role.confirm === 'always' ? 'always' : command.confirm,
      // No browser has signed in: the confirmation page asks for the workspace's key.
      browser: '',
      subject: signIn.subject,
      since: now(),
    };
    return tokens.issueAccess(grant);
  }

  async function signInEmployee(request: TokenRequest): Promise<AccessTokenResponse> {
    if (!assertions || !identityProvider)
      throw new OAuthRequestError('unsupported_grant_type', 'This server has no identity provider.');
    const app = await clients.authenticate(organization.apps, request);
    const assertion = getRequiredParameter(request.form, 'assertion');
    const { groups, scope, subject } = await assertions.verify(assertion, app.client_id);
    const role = organization.roles.find((candidate) => candidate.groups.some((group) => groups.includes(group)));
    if (!role)
      throw new OAuthRequestError('access_denied', 'None of your groups has a role here. Ask your administrator.', 403);
    return issue(role, {
      clientId: app.client_id,
      name: app.name,
      place: new URL(identityProvider.issuer).host,
      subject,
      readOnly: false,
      scopes: [scope, getSingleParameter(request.form, 'scope')],
    });
  }

  async function signInAgent(request: TokenRequest): Promise<AccessTokenResponse> {
    const agent = await clients.authenticate(organization.agents, request);
    const role = organization.roles.find(({ name }) => name === agent.role);
    if (!role) throw new Error('Agent without a role');
    return issue(role, {
      clientId: agent.client_id,
      name: agent.name,
      place: 'scheduled agent',
      subject: hashClientId(agent.client_id),
      readOnly: !agent.writes,
      scopes: [getSingleParameter(request.form, 'scope')],
    });
  }

  return {
    /** Grants of the organization's own, for the server's metadata. */
    metadata: {
      grantTypes: [...(assertions ? [ASSERTION_GRANT] : []), ...(organization.agents.length > 0 ? [AGENT_GRANT] : [])],
      hasAssertions: assertions !== undefined,
    },
    /** Returns undefined for a grant type that is not the organization's. @throws OAuthRequestError */
    async exchange(request: TokenRequest): Promise<AccessTokenResponse | undefined> {
      checkResource(request.form, resource);
      const kind = getSingleParameter(request.form, 'grant_type');
      if (kind === ASSERTION_GRANT) return signInEmployee(request);
      return kind === AGENT_GRANT && organization.agents.length > 0 ? signInAgent(request) : undefined;
    },
  };
}
