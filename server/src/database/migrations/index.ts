import { Migration20261121000000_first_house } from './Migration20261121000000_first_house.ts';
import { Migration20261121030000_sessions } from './Migration20261121030000_sessions.ts';
import { Migration20261121040000_roll_ups } from './Migration20261121040000_roll_ups.ts';
import { Migration20261121040000_webhooks } from './Migration20261121040000_webhooks.ts';
import { Migration20261121050000_deliveries_of_a_request } from './Migration20261121050000_deliveries_of_a_request.ts';
import { Migration20261121060000_faces } from './Migration20261121060000_faces.ts';
import { Migration20261121070000_deliveries_by_account } from './Migration20261121070000_deliveries_by_account.ts';
import { Migration20261122121000_history_off } from './Migration20261122121000_history_off.ts';
import { Migration20261122122000_leases_and_queue } from './Migration20261122122000_leases_and_queue.ts';
import { Migration20261122123001_money_corrections } from './Migration20261122123001_money_corrections.ts';
import { Migration20261122124010_report_roll_ups } from './Migration20261122124010_report_roll_ups.ts';
import { Migration20261122127000_secrets } from './Migration20261122127000_secrets.ts';
import { Migration20261122129000_verified_addresses } from './Migration20261122129000_verified_addresses.ts';
import { Migration20261122129100_provider_sessions } from './Migration20261122129100_provider_sessions.ts';
import { Migration20261122131000_announced_engines } from './Migration20261122131000_announced_engines.ts';
import { Migration20261122132000_provider_faults } from './Migration20261122132000_provider_faults.ts';
import { Migration20261122133000_page_layouts } from './Migration20261122133000_page_layouts.ts';
import { Migration20261122134000_cancellations } from './Migration20261122134000_cancellations.ts';
import { Migration20261122135000_deletions } from './Migration20261122135000_deletions.ts';
import { Migration20261122136000_retention } from './Migration20261122136000_retention.ts';
import { Migration20261122137000_page_tables } from './Migration20261122137000_page_tables.ts';
import { Migration20261122140000_discarded_deliveries } from './Migration20261122140000_discarded_deliveries.ts';
import { Migration20261122141000_export_leases } from './Migration20261122141000_export_leases.ts';
import { Migration20261122142000_ended_accounts } from './Migration20261122142000_ended_accounts.ts';
import { Migration20261122144000_pages_tried } from './Migration20261122144000_pages_tried.ts';
import { Migration20261122145000_wall_times } from './Migration20261122145000_wall_times.ts';
import { Migration20261122146000_refused_calls } from './Migration20261122146000_refused_calls.ts';
import { Migration20261122147000_vacuum_settings } from './Migration20261122147000_vacuum_settings.ts';
import { Migration20261122148000_idempotency_keys } from './Migration20261122148000_idempotency_keys.ts';
import { Migration20261122151000_alerts } from './Migration20261122151000_alerts.ts';
import { Migration20261122152000_probe_faults } from './Migration20261122152000_probe_faults.ts';
import { Migration20261122153000_doctor_results } from './Migration20261122153000_doctor_results.ts';
import { Migration20261123090000_trace } from './Migration20261123090000_trace.ts';
import { Migration20261123160000_months } from './Migration20261123160000_months.ts';
import { Migration20261123161000_archived_parts } from './Migration20261123161000_archived_parts.ts';
import { Migration20261123170000_low_balance } from './Migration20261123170000_low_balance.ts';
import { Migration20261123175000_failed_deliveries } from './Migration20261123175000_failed_deliveries.ts';
import { Migration20261123175100_alert_channel_kinds } from './Migration20261123175100_alert_channel_kinds.ts';
import { Migration20261123180000_alert_severity } from './Migration20261123180000_alert_severity.ts';
import { Migration20261123200000_times_so_far } from './Migration20261123200000_times_so_far.ts';
import { Migration20261124230000_service_versions } from './Migration20261124230000_service_versions.ts';
import { Migration20261125030000_key_budgets } from './Migration20261125030000_key_budgets.ts';
import { Migration20261125150000_line_bytes } from './Migration20261125150000_line_bytes.ts';
import { Migration20261126130000_refused_call_parties } from './Migration20261126130000_refused_call_parties.ts';
import { Migration20261126131000_first_starts } from './Migration20261126131000_first_starts.ts';
import { Migration20261126132000_sent_headers } from './Migration20261126132000_sent_headers.ts';
import { Migration20261126150000_engine_words } from './Migration20261126150000_engine_words.ts';
import { Migration20261126164000_alert_ends } from './Migration20261126164000_alert_ends.ts';
import { Migration20261126170000_audit_times } from './Migration20261126170000_audit_times.ts';
import { Migration20261126233000_usage_doubted } from './Migration20261126233000_usage_doubted.ts';
import { Migration20261127090000_closed_wallets } from './Migration20261127090000_closed_wallets.ts';
import { Migration20261127100000_served_engines } from './Migration20261127100000_served_engines.ts';
import { Migration20261128130000_unsent_deliveries } from './Migration20261128130000_unsent_deliveries.ts';
import { Migration20261128160000_words_of_requests } from './Migration20261128160000_words_of_requests.ts';
import { Migration20261128170000_quotes_in_messages } from './Migration20261128170000_quotes_in_messages.ts';
import { Migration20261128220000_quotes_of_requests } from './Migration20261128220000_quotes_of_requests.ts';
import { Migration20261128230000_older_secrets } from './Migration20261128230000_older_secrets.ts';

/** Every schema change, oldest first. */
export const MIGRATIONS = [
  Migration20261121000000_first_house,
  Migration20261121030000_sessions,
  Migration20261121040000_roll_ups,
  Migration20261121040000_webhooks,
  Migration20261121050000_deliveries_of_a_request,
  Migration20261121060000_faces,
  Migration20261121070000_deliveries_by_account,
  Migration20261122121000_history_off,
  Migration20261122122000_leases_and_queue,
  Migration20261122123001_money_corrections,
  Migration20261122124010_report_roll_ups,
  Migration20261122127000_secrets,
  Migration20261122129000_verified_addresses,
  Migration20261122129100_provider_sessions,
  Migration20261122131000_announced_engines,
  Migration20261122132000_provider_faults,
  Migration20261122134000_cancellations,
  Migration20261122135000_deletions,
  Migration20261122136000_retention,
  Migration20261122133000_page_layouts,
  Migration20261122137000_page_tables,
  Migration20261122140000_discarded_deliveries,
  Migration20261122141000_export_leases,
  Migration20261122142000_ended_accounts,
  Migration20261122144000_pages_tried,
  Migration20261122145000_wall_times,
  Migration20261122146000_refused_calls,
  Migration20261122147000_vacuum_settings,
  Migration20261122148000_idempotency_keys,
  Migration20261122151000_alerts,
  Migration20261122152000_probe_faults,
  Migration20261122153000_doctor_results,
  Migration20261123090000_trace,
  Migration20261123175000_failed_deliveries,
  Migration20261123175100_alert_channel_kinds,
  Migration20261123180000_alert_severity,
  Migration20261123170000_low_balance,
  Migration20261123160000_months,
  Migration20261123161000_archived_parts,
  Migration20261123200000_times_so_far,
  Migration20261124230000_service_versions,
  Migration20261125030000_key_budgets,
  Migration20261125150000_line_bytes,
  Migration20261126130000_refused_call_parties,
  Migration20261126131000_first_starts,
  Migration20261126132000_sent_headers,
  Migration20261126150000_engine_words,
  Migration20261126164000_alert_ends,
  Migration20261126170000_audit_times,
  Migration20261126233000_usage_doubted,
  Migration20261127090000_closed_wallets,
  Migration20261127100000_served_engines,
  Migration20261128130000_unsent_deliveries,
  Migration20261128160000_words_of_requests,
  Migration20261128170000_quotes_in_messages,
  Migration20261128220000_quotes_of_requests,
  Migration20261128230000_older_secrets,
];
