import type { Hono } from 'hono';
import { html } from 'hono/html';
import { totalOf } from '../handlers/proposals.ts';
import type { Env } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import { acceptProposal, markProposalSeen, SigningError } from '../state/signing.ts';
import { documentPage, messagePage } from './document-page.ts';

/** The page on which a recipient reads a proposal and accepts it. */
export function addProposalPages(app: Hono<Env>, service: Service): void {
  app.get('/p/:proposal', (context) => {
    const proposal = service.state.proposals.get(context.req.param('proposal'));
    if (!proposal || proposal.status === 'draft')
      return context.html(messagePage('Not found', 'This proposal does not exist or was not sent yet'), 404);
    markProposalSeen(service, proposal);
    return context.html(
      documentPage({
        title: proposal.name,
        body: html`<main><h1>${proposal.name}</h1>
${proposal.message ? html`<p>${proposal.message}</p>` : ''}
<p>Total: ${totalOf(proposal.items)} ${proposal.currency}</p>
${proposal.accepted_at === null ? html`<form method="post"><button>Accept</button></form>` : html`<p role="status">Accepted</p>`}</main>`,
      }),
    );
  });

  app.post('/p/:proposal', (context) => {
    try {
      acceptProposal(service, context.req.param('proposal'));
    } catch (error) {
      if (error instanceof SigningError) return context.html(messagePage('Not possible', error.message), 409);
      throw error;
    }
    return context.redirect(new URL(context.req.url).pathname, 303);
  });
}
