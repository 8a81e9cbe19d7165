import type { Hono } from 'hono';
import { html } from 'hono/html';
import { totalOf } from '../handlers/proposals.ts';
import type { Env } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import type { Custom, ProposalRecord } from '../state/records.ts';
import { acceptProposal, markProposalSeen, SigningError } from '../state/signing.ts';
import { cardPage, type Markup, messagePage, sendPage, timeTag } from './document-page.ts';
import { isQuiet } from './quiet.ts';

/** The page on which a recipient reads a proposal and accepts it. */
export function addProposalPages(app: Hono<Env>, service: Service): void {
  app.get('/p/:proposal', (context) => {
    const proposal = service.state.proposals.get(context.req.param('proposal'));
    if (!proposal || proposal.status === 'draft') {
      const page = messagePage('Not found', 'This proposal does not exist or was not sent yet');
      return sendPage(context, page, 404);
    }
    if (!isQuiet(context)) markProposalSeen(service, proposal);
    return sendPage(context, proposalPage(proposal));
  });

  app.post('/p/:proposal', async (context) => {
    try {
      acceptProposal(service, context.req.param('proposal'));
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      return sendPage(context, messagePage('Not possible', error.message), 409);
    }
    return context.redirect(new URL(context.req.url).pathname, 303);
  });
}

function proposalPage(proposal: ProposalRecord): Markup {
  const money = (value: number) => value.toFixed(2);
  return cardPage({
    title: proposal.name,
    eyebrow: 'Proposal',
    body: html`${proposal.message ? html`<blockquote>${proposal.message}</blockquote>` : ''}
<div class="scroll"><table><caption class="hidden">Prices</caption>
<thead><tr><th scope="col">Item</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Price, ${proposal.currency}</th></tr></thead>
<tbody>${proposal.items.map((item) => html`<tr><td>${wordOf(item)}</td><td class="number">${String(item['quantity'] ?? 1)}</td><td class="number">${money(totalOf([item]))}</td></tr>`)}</tbody>
<tfoot><tr><th scope="row" colspan="2">Total, ${proposal.currency}</th><td class="number"><strong>${money(totalOf(proposal.items))}</strong></td></tr></tfoot>
</table></div>
${
  proposal.accepted_at === null
    ? html`<form method="post" class="stack"><button class="primary">Accept</button></form>`
    : html`<p class="done" role="status">Accepted <span class="muted">${timeTag(proposal.accepted_at)} UTC</span></p>`
}`,
  });
}

/** An item has whatever fields its maker gave it; one of these usually names it. */
function wordOf(item: Custom): string {
  return String(item['description'] ?? item['name'] ?? item['title'] ?? 'Item');
}
