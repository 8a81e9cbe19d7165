/**
 * What reports assume about names that the document leaves open ("not shown"): under which names analytics and billing
 * give their figures. Part of the assumptions. Readers take each name in any case and with any separator; a dotted
 * name is a field of a nested object.
 */
import { words } from '../words.ts';

/** §4 GET /analytics/…: objects that may hold the figures one level down. */
export const FIGURE_ENVELOPES = words(
  `metrics totals summary stats statistics analytics aggregate usage current`,
);

/** §4 GET /analytics/…: the figures of a link, a room, a visitor or one page. */
export const FIGURE_FIELDS = {
  views: words(`views view_count total_views views_count visits visit_count total_visits opens count`),
  uniqueVisitors: words(
    `unique_visitors unique_views visitor_count visitors_count unique_viewers visitors viewers`,
  ),
  totalSeconds: words(
    `total_seconds total_duration_seconds total_time_seconds total_time total_duration seconds duration`,
  ),
  averageSeconds: words(
    `average_seconds avg_seconds average_duration_seconds average_time_seconds avg_duration average_time avg_time`,
  ),
  completionRate: words(`completion_rate average_completion avg_completion completion completion_percent`),
  lastViewedAt: words(
    `last_viewed_at last_view_at last_visited_at last_visit_at last_seen_at last_activity_at`,
  ),
  firstViewedAt: words(`first_viewed_at first_seen_at first_visited_at first_visit_at created_at`),
  linkCount: words(`link_count links_count links`),
  endedAt: words(`ended_at finished_at left_at closed_at end_time`),
  visitCount: words(`visit_count visits_count view_count total_visits visits views`),
} as const;

/** §4: lists of what was seen page by page, and of the documents of a room. */
export const PAGE_LISTS = words(`pages page_stats per_page by_page page_views heatmap page_metrics`);
/** §4 GET /analytics/rooms/{id}: the people who came, where the answer lists them. */
export const VISITOR_LISTS = words(`visitors viewers by_visitor visitor_stats people guests`);
export const DOCUMENT_LISTS = words(`documents files by_document document_stats`);

/** §4 GET /documents/{id}/pages: what one page has. */
export const PAGE_FIELDS = {
  number: words(`page page_number number index position`),
  seconds: words(`seconds duration_seconds total_seconds time_spent duration`),
  milliseconds: words(`milliseconds duration_ms total_ms time_spent_ms time_ms ms`),
  width: words(`width size.width dimensions.width`),
  height: words(`height size.height dimensions.height`),
  imageUrl: words(`thumbnail_url image_url thumbnail.url image.url thumbnail image preview_url url`),
} as const;

/** §4 GET /billing/…: what a subscription, an invoice and the usage have. */
export const BILLING_FIELDS = {
  plan: words(`plan.name plan_name plan.id plan tier product`),
  seats: words(`seats seat_count seats_total total_seats quantity seats.total`),
  seatsUsed: words(`seats_used used_seats seats.used active_seats members`),
  currency: words(`currency currency_code`),
  periodStart: words(`period_start_at period_start current_period_start period.start start_date starts_at`),
  periodEnd: words(`period_end_at period_end current_period_end period.end renews_at end_date ends_at`),
  trialEnds: words(`trial_ends_at trial_end trial_end_at`),
  number: words(`number invoice_number reference`),
  amount: words(`amount total total_amount amount_due amount_total amount_paid`),
  amountCents: words(`amount_cents total_cents amount_in_cents amount_due_cents`),
  issuedAt: words(`issued_at created_at invoice_date date created`),
  dueAt: words(`due_at due_date due_on`),
  paidAt: words(`paid_at paid_on payment_date`),
  invoiceUrl: words(`invoice_url hosted_invoice_url pdf_url invoice_pdf download_url url`),
  documents: words(`documents document_count documents.used documents_used`),
  links: words(`links link_count links.used links_used`),
  rooms: words(`rooms room_count rooms.used datarooms rooms_used`),
  contacts: words(`contacts contact_count contacts.used contacts_used`),
  visits: words(`visits visit_count visits.used views visits_used`),
  agreements: words(`agreements_sent agreements envelopes_sent envelopes agreement_count agreements.used`),
  storageBytes: words(`storage_bytes storage_used_bytes bytes_used storage.used storage_used storage`),
} as const;
