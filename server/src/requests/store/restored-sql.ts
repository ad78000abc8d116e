import { transitionSql } from '../model/states.ts';
import { GIVEN_UP_FROM, GIVEN_UP_OWNER } from './lease-expiry.ts';
import { returnToQueue } from './queue-levels.ts';

const HAND_BACK = transitionSql('handBack');
const SEIZE = transitionSql('seize');

/**
 * What was at work when a backup was made runs again from the queue, as if its process had handed it back: the copy's
 * processes are other ones, and no death speaks against a request. What had been given up stays so.
 */
export const QUEUE_AGAIN = `
  with returned as (
    update ocr_request set status = ${HAND_BACK.to}, lease_owner = null, lease_expires_at = null, fence = fence + 1,
      starts = greatest(0, starts - 1)
    where ${HAND_BACK.from} and coalesce(suspicion, 0) < ${GIVEN_UP_FROM}
    returning id, requested_engine, account_id, suspicion
  )
  ${returnToQueue('returned')}`;

/**
 * Nothing that had not ended runs again. Every sweep ends what is given up, free of charge; no webhook tells of it, for
 * the service that was backed up may have told of another end since.
 */
export const GIVE_UP_OPEN = `
  with emptied as (delete from queued_request)
  update ocr_request set status = ${SEIZE.to}, lease_owner = '${GIVEN_UP_OWNER}', lease_expires_at = now(), fence = fence + 1,
    started_at = coalesce(started_at, now()), suspicion = ${GIVEN_UP_FROM},
    effective = jsonb_set(effective, '{webhookUrl}', 'null')
  where ${SEIZE.from} returning id`;
