import { expect } from 'vitest';
import { ask } from '../house/graphql.ts';
import type { HouseAccount } from '../house/house.ts';
import { readSql } from '../house/sql.ts';

/** What is shown of a request that was cancelled. */
export interface Cancelled {
  readonly id: string;
  readonly status: string;
  readonly outcome: string;
  readonly cost: number;
  readonly providerError: string | null;
  readonly extractedTextPreview: string | null;
  readonly cancelRequestedAt: string | null;
  readonly cancelledAt: string | null;
  readonly pageResults: readonly { number: number; state: string; code: string | null; text: string | null }[];
  readonly attempts: readonly { engine: string; outcome: string; billing: string }[];
}

const CANCEL = `mutation ($id: ID!) { cancelRequest(id: $id) { id status outcome cost providerError extractedTextPreview
  cancelRequestedAt cancelledAt pageResults { number state code text } attempts { engine outcome billing } } }`;

/** Cancels a request of the account and answers what is shown of it then. */
export async function cancel({ caller }: HouseAccount, id: string): Promise<Cancelled> {
  const { data, codes } = await ask<{ cancelRequest: Cancelled }>(caller, CANCEL, { id });
  expect(codes).toEqual([]);
  return data.cancelRequest;
}

/** The codes of the errors that cancelling it gives. */
export async function refusal({ caller }: HouseAccount, id: string): Promise<readonly string[]> {
  return (await ask(caller, CANCEL, { id })).codes;
}

/** The account's only request that has not ended. */
export async function openRequest(databaseUrl: string, account: HouseAccount): Promise<string> {
  const ids = await openRequests(databaseUrl, account);
  expect(ids).toHaveLength(1);
  return ids[0] ?? '';
}

/** All of the account's requests that have not ended. */
export async function openRequests(databaseUrl: string, { accountId }: HouseAccount): Promise<string[]> {
  const open = `select id from ocr_request where account_id = '${accountId}' and finished_at is null`;
  return (await readSql<{ id: string }>(databaseUrl, open)).map(({ id }) => id);
}
