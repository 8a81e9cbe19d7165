import { html } from 'hono/html';
import { WORKSPACE_NAME_RULE } from '../../account/workspaces.ts';
import { renderKeyField, renderProblem } from '../../pages/form-parts.ts';
import { FORM_SCRIPT } from '../../pages/form-script.ts';
import type { Html, HtmlPage } from '../../pages/layout.ts';
import type { ConsentRequest, SignInWorkspace } from './consent-page.ts';

/** Why a workspace was not added, and the field to correct: the key if `nameIndex` is undefined. */
export interface AddWorkspaceProblem {
  readonly message: string;
  readonly nameIndex?: number;
}

/** Asks for the key of a further workspace, and for the name of each. `names` are shown as typed, the new one last. */
export function renderAddWorkspacePage(
  { client, form }: ConsentRequest,
  input: {
    workspaces: readonly SignInWorkspace[];
    names: readonly string[];
    problem?: AddWorkspaceProblem | undefined;
  },
): HtmlPage {
  const { workspaces, names, problem } = input;
  const renderName = (index: number, label: Html | string) => {
    const id = `workspace-${index}`;
    const isInvalid = problem?.nameIndex === index;
    return html`<label for="${id}">${label}</label>
<input type="text" id="${id}" name="workspace" value="${names[index] ?? ''}" required maxlength="40"
pattern="\\s*\\w[\\w\\-]*\\s*" title="${WORKSPACE_NAME_RULE}"
autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" ${isInvalid ? html`aria-invalid="true" aria-describedby="problem name-hint"` : html`aria-describedby="name-hint"`}>`;
  };
  const isKeyProblem = problem !== undefined && problem.nameIndex === undefined;
  return {
    title: 'Add another workspace',
    script: FORM_SCRIPT,
    body: html`<h1>Add another workspace</h1>
<p><bdi>${client.name}</bdi> names the workspace in each call, so give each one a short name that you recognize. Every question names it, too.</p>
${renderProblem(problem?.message)}
<form method="post" action="/authorize">
<input type="hidden" name="form" value="${form}">
${workspaces.map(({ keyEnding }, index) => renderName(index, html`Name of the workspace with the key that ends in <code>${keyEnding}</code>`))}
${renderName(workspaces.length, 'Name of the new workspace')}
<p class="small muted" id="name-hint">Use ${WORKSPACE_NAME_RULE}, for example acme.</p>
${renderKeyField({
  label: 'API key of the new workspace',
  problem: isKeyProblem ? problem.message : undefined,
  hint: 'From Settings → API keys in that workspace.',
})}
<div class="actions"><button class="primary" name="decision" value="add_key">Add workspace</button><button name="decision" value="back" formnovalidate>Back</button></div>
</form>`,
  };
}
