/**
 * Assumptions of reports about names that the document leaves open ("not shown"): metrics in analytics and billing.
 * Readers match each name in any case and with any separator; a dotted name is a field of a nested object.
 */
import { splitWords } from '../split-words.ts';

/** §4 GET /analytics/…: objects that may hold the metrics one level down. */
export const METRIC_ENVELOPES = splitWords(`metrics totals summary stats statistics analytics aggregate usage current`);

/** §4 GET /analytics/…: metrics of a link, a room, a visitor or one page. */
export const METRIC_FIELDS = {
  views: splitWords(`views view_count total_views views_count visits visit_count total_visits opens count`),
  uniqueVisitors: splitWords(
    `unique_visitors unique_views visitor_count visitors_count unique_viewers visitors viewers`,
  ),
  totalSeconds: splitWords(
    `total_seconds total_duration_seconds total_time_seconds total_time total_duration seconds duration`,
  ),
  averageSeconds: splitWords(
    `average_seconds avg_seconds average_duration_seconds average_time_seconds avg_duration average_time avg_time`,
  ),
  completionRate: splitWords(`completion_rate average_completion avg_completion completion completion_percent`),
  lastViewedAt: splitWords(`last_viewed_at last_view_at last_visited_at last_visit_at last_seen_at last_activity_at`),
  firstViewedAt: splitWords(`first_viewed_at first_seen_at first_visited_at first_visit_at created_at`),
  linkCount: splitWords(`link_count links_count links`),
  endedAt: splitWords(`ended_at finished_at left_at closed_at end_time`),
  visitCount: splitWords(`visit_count visits_count view_count total_visits visits views`),
} as const;

/** §4: lists of metrics per page, and of a room's documents. */
export const PAGE_LISTS = splitWords(`pages page_stats per_page by_page page_views heatmap page_metrics`);
/** §4 GET /analytics/rooms/{id}: lists of visitors. */
export const VISITOR_LISTS = splitWords(`visitors viewers by_visitor visitor_stats people guests`);
export const DOCUMENT_LISTS = splitWords(`documents files by_document document_stats`);

/** §4 GET /documents/{id}/pages: fields of one page. */
export const PAGE_FIELDS = {
  number: splitWords(`page page_number number index position`),
  seconds: splitWords(`seconds duration_seconds total_seconds time_spent duration`),
  milliseconds: splitWords(`milliseconds duration_ms total_ms time_spent_ms time_ms ms`),
  width: splitWords(`width size.width dimensions.width`),
  height: splitWords(`height size.height dimensions.height`),
  imageUrl: splitWords(`thumbnail_url image_url thumbnail.url image.url thumbnail image preview_url url`),
} as const;

/** §4 GET /billing/…: fields of a subscription, an invoice and the usage. */
export const BILLING_FIELDS = {
  plan: splitWords(`plan.name plan_name plan.id plan tier product`),
  seats: splitWords(`seats seat_count seats_total total_seats quantity seats.total`),
  seatsUsed: splitWords(`seats_used used_seats seats.used active_seats members`),
  currency: splitWords(`currency currency_code`),
  periodStart: splitWords(`period_start_at period_start current_period_start period.start start_date starts_at`),
  periodEnd: splitWords(`period_end_at period_end current_period_end period.end renews_at end_date ends_at`),
  trialEnds: splitWords(`trial_ends_at trial_end trial_end_at`),
  number: splitWords(`number invoice_number reference`),
  amount: splitWords(`amount total total_amount amount_due amount_total amount_paid`),
  amountCents: splitWords(`amount_cents total_cents amount_in_cents amount_due_cents`),
  issuedAt: splitWords(`issued_at created_at invoice_date date created`),
  dueAt: splitWords(`due_at due_date due_on`),
  paidAt: splitWords(`paid_at paid_on payment_date`),
  invoiceUrl: splitWords(`invoice_url hosted_invoice_url pdf_url invoice_pdf download_url url`),
  documents: splitWords(`documents document_count documents.used documents_used`),
  links: splitWords(`links link_count links.used links_used`),
  rooms: splitWords(`rooms room_count rooms.used datarooms rooms_used`),
  contacts: splitWords(`contacts contact_count contacts.used contacts_used`),
  visits: splitWords(`visits visit_count visits.used views visits_used`),
  agreements: splitWords(`agreements_sent agreements envelopes_sent envelopes agreement_count agreements.used`),
  storageBytes: splitWords(`storage_bytes storage_used_bytes bytes_used storage.used storage_used storage`),
} as const;
