import { Session } from './accounts/login/session.ts';
import { Account } from './accounts/model/account.ts';
import { ApiKey } from './accounts/model/api-key.ts';
import { LedgerTransfer } from './billing/ledger-transfer.ts';
import { Wallet } from './billing/wallet.ts';
import { EngineSwitch } from './engines/engine-switch.ts';
import { Attempt } from './requests/model/attempt.ts';
import { OcrPage } from './requests/model/ocr-page.ts';
import { OcrRequest } from './requests/model/ocr-request.ts';
import { Delivery } from './webhooks/delivery.ts';
import { DeliveryAttempt } from './webhooks/delivery-attempt.ts';
import { Webhook } from './webhooks/webhook.ts';

/** The tables that are read and written through the ORM. */
export const ENTITIES = [Account, ApiKey, EngineSwitch];

/**
 * The tables of a request's life. Their rows go through hand-written, gathered statements, and the ORM is not told of
 * their classes: it would watch every property of every instance, which costs more than the rest of a request.
 */
const WRITTEN_BY_HAND = [
  Wallet,
  LedgerTransfer,
  OcrRequest,
  OcrPage,
  Attempt,
  Webhook,
  Delivery,
  DeliveryAttempt,
  Session,
];

/** Every table that has a class, for checking the classes against the migrated schema. */
export const TABLES = [...ENTITIES, ...WRITTEN_BY_HAND];
