import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { WORKSPACE_OWNER } from '../base/workspace-owner.ts';
import { calculateTotal } from '../handlers/proposals.ts';
import type { Env } from '../server/exchange.ts';
import type { CustomFields, ProposalRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { acceptProposal, declineProposal, markProposalViewed } from '../state/signing.ts';
import { isAutomatedRequest } from './automated-request.ts';
import { type Markup, renderCardPage, renderMessagePage, renderTime, sendPage } from './layout/page-layout.ts';
import { readPageForm } from './read-form.ts';

export function addProposalPages(app: Hono<Env>, service: Service): void {
  const find = (context: Context): ProposalRecord | null => {
    const proposal = service.state.proposals.get(context.req.param('proposal') ?? '');
    return proposal && proposal.status !== 'draft' ? proposal : null;
  };

  app.get('/p/:proposal', (context) => {
    const proposal = find(context);
    if (!proposal) return sendPage(context, NOT_FOUND_PAGE, 404);
    if (!isAutomatedRequest(context)) markProposalViewed(service, proposal);
    return sendPage(context, renderProposalPage(proposal));
  });

  app.post('/p/:proposal', async (context) => {
    const proposal = find(context);
    if (!proposal) return sendPage(context, NOT_FOUND_PAGE, 404);
    const form = await readPageForm(context);
    // A second submission shows the first decision.
    const isDecided = proposal.status === 'accepted' || proposal.status === 'declined';
    if (!isDecided && form.get('decision') === 'decline') declineProposal(service, proposal);
    else if (!isDecided && proposal.items.length > 0) acceptProposal(service, proposal);
    return context.redirect(new URL(context.req.url).pathname, 303);
  });
}

const NOT_FOUND_PAGE = renderMessagePage('Not found', 'This proposal does not exist or has not been sent');

function renderProposalPage(proposal: ProposalRecord): Markup {
  const { recipients, items } = proposal;
  const who = recipients.map(({ name, email }) => name || email).join(', ');
  const money = createMoneyFormat(proposal.currency);
  return renderCardPage({
    title: proposal.name,
    eyebrow: 'Proposal',
    wide: true,
    body: html`<p class="muted">From ${WORKSPACE_OWNER.name}${who ? html` for <strong><bdi>${who}</bdi></strong>` : ''}${proposal.sent_at === null ? '' : html`, ${renderTime(proposal.sent_at)}`}</p>
${proposal.message ? html`<blockquote>${proposal.message}</blockquote>` : ''}
${
  items.length === 0
    ? html`<p>This proposal has no items yet. Ask the sender for a new one.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Prices"><table><caption class="hidden">Prices</caption>
<thead><tr><th scope="col">Item</th>${['Quantity', 'Unit price', 'Price'].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>${items.map((item) => renderItemRow(item, money))}</tbody>
<tfoot><tr><th scope="row" colspan="3">Total</th><td class="number"><strong>${money(calculateTotal(items))}</strong></td></tr></tfoot>
</table></div>`
}
${renderDecision(proposal)}`,
  });
}

function renderDecision({ status, items, updated_at, accepted_at }: ProposalRecord): Markup {
  if (accepted_at !== null)
    return html`<p class="done" role="status">Accepted <span class="muted">${renderTime(accepted_at)}</span></p>`;
  if (status === 'declined')
    return html`<p role="status">Declined <span class="muted">${renderTime(updated_at)}</span>. Ask the sender for a new proposal.</p>`;
  const accept =
    items.length === 0
      ? ''
      : html`<p class="muted small">By accepting, you order these items from ${WORKSPACE_OWNER.name} at these prices.</p><button class="primary" name="decision" value="accept">Accept</button>`;
  return html`<form method="post" class="stack">${accept}<button name="decision" value="decline">Decline</button></form>`;
}

function renderItemRow(item: CustomFields, money: (value: number) => string): Markup {
  const quantity = Number(item['quantity'] ?? 1);
  const total = calculateTotal([item]);
  const each = quantity > 0 ? money(total / quantity) : '';
  return html`<tr><td>${getItemName(item)}</td><td class="number">${String(item['quantity'] ?? 1)}</td><td class="number">${each}</td><td class="number">${money(total)}</td></tr>`;
}

/** Formats amounts with the decimals of their currency, which callers may have made up. */
function createMoneyFormat(currency: string): (value: number) => string {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'code' }).format;
  } catch {
    return (value) => `${currency} ${value.toFixed(2)}`;
  }
}

/** Items have arbitrary fields; one of these usually names the item. */
function getItemName(item: CustomFields): string {
  return String(item['description'] ?? item['name'] ?? item['title'] ?? 'Item');
}
