import type { Hono } from 'hono';
import { html } from 'hono/html';
import { WORKSPACE_OWNER } from '../base/sender.ts';
import { calculateTotal } from '../handlers/proposals.ts';
import type { Env } from '../server/exchange.ts';
import type { Custom, ProposalRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { acceptProposal, markProposalViewed } from '../state/signing.ts';
import { cardPage, type Markup, messagePage, sendPage, timeTag } from './layout/document-page.ts';
import { isAutomatedRequest } from './preview-request.ts';

export function addProposalPages(app: Hono<Env>, service: Service): void {
  app.get('/p/:proposal', (context) => {
    const proposal = service.state.proposals.get(context.req.param('proposal'));
    if (!proposal || proposal.status === 'draft') {
      const page = messagePage('Not found', 'This proposal does not exist or has not been sent');
      return sendPage(context, page, 404);
    }
    if (!isAutomatedRequest(context)) markProposalViewed(service, proposal);
    return sendPage(context, proposalPage(proposal));
  });

  app.post('/p/:proposal', (context) => {
    acceptProposal(service, context.req.param('proposal'));
    return context.redirect(new URL(context.req.url).pathname, 303);
  });
}

function proposalPage(proposal: ProposalRecord): Markup {
  const { recipients, items, currency } = proposal;
  const who = recipients.map(({ name, email }) => name || email).join(', ');
  return cardPage({
    title: proposal.name,
    eyebrow: 'Proposal',
    wide: true,
    body: html`<p class="muted">From ${WORKSPACE_OWNER.name}${who ? html` for <strong><bdi>${who}</bdi></strong>` : ''}${proposal.sent_at === null ? '' : html`, ${timeTag(proposal.sent_at)} UTC`}</p>
${proposal.message ? html`<blockquote>${proposal.message}</blockquote>` : ''}
<div class="scroll" tabindex="0" role="region" aria-label="Prices"><table><caption class="hidden">Prices</caption>
<thead><tr><th scope="col">Item</th>${['Quantity', `Unit price, ${currency}`, `Price, ${currency}`].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>${items.map(itemRow)}</tbody>
<tfoot><tr><th scope="row" colspan="3">Total, ${currency}</th><td class="number"><strong>${money(calculateTotal(items))}</strong></td></tr></tfoot>
</table></div>
${
  proposal.accepted_at === null
    ? html`<form method="post" class="stack"><p class="muted small">By accepting, you order these items from ${WORKSPACE_OWNER.name} at these prices.</p><button class="primary">Accept</button></form>`
    : html`<p class="done" role="status">Accepted <span class="muted">${timeTag(proposal.accepted_at)} UTC</span></p>`
}`,
  });
}

function itemRow(item: Custom): Markup {
  const quantity = Number(item['quantity'] ?? 1);
  const total = calculateTotal([item]);
  const each = quantity > 0 ? money(total / quantity) : '';
  return html`<tr><td>${getItemName(item)}</td><td class="number">${String(item['quantity'] ?? 1)}</td><td class="number">${each}</td><td class="number">${money(total)}</td></tr>`;
}

function money(value: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** Items have arbitrary fields; one of these usually names the item. */
function getItemName(item: Custom): string {
  return String(item['description'] ?? item['name'] ?? item['title'] ?? 'Item');
}
