import { getNamedType, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { expect, it } from 'vitest';
import { makeSchema } from '../../src/graphql/schema.ts';
import { readFace } from './face-documents.ts';

const NUMBERS = ['Int', 'Float', 'Usd', 'BigInt'];

/** Compared with the rows in `figures.test.ts`, type by type. */
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  UsageSlice: ['requests', 'pages', 'failed', 'cost', 'chargedOnFailures'],
  UsageDayOfEngine: ['requests', 'pages', 'cost'],
  Balance: ['available', 'held', 'owed', 'spent'],
  LedgerTransfer: ['amount', 'balanceAfter'],
  KeyUsage: ['requests', 'spent'],
  OcrRequest: ['pages', 'pagesTotal', 'cost', 'hold', 'providerLatencyMs', 'confidence'],
  Attempt: ['number', 'pages', 'providerLatencyMs'],
  OcrPage: ['number', 'cost'],
};

/** Numbers that count nothing: settings, places, and what stands in one row and is read from there. */
const READ_AS_THEY_ARE: Readonly<Record<string, readonly string[]>> = {
  Account: ['textDays'],
  AppliedSettings: ['dpi'],
  Balance: ['lowThreshold'],
  CostEstimate: ['pages', 'reserved', 'available'],
  Engine: ['pricePerPage', 'maxPagesPerRequest'],
  OcrJob: ['pagesDone', 'pagesTotal'],
  OcrPage: ['confidence', 'width', 'height'],
  OcrPageList: ['total'],
  OcrRequest: ['starts'],
  PageFailure: ['page'],
  PossibleDuplicate: ['lines'],
  RefusedCall: ['status'],
  WebhookDelivery: ['round', 'attempt', 'responseCode', 'latencyMs'],
};

it('compares every number of the dashboard that is counted with the rows that it is of', () => {
  const listed = [COMPARED, READ_AS_THEY_ARE].flatMap((table) =>
    Object.entries(table).flatMap(([type, fields]) => fields.map((field) => `${type}.${field}`)),
  );
  expect([...numbersOf('dashboard/src')].toSorted()).toEqual([...new Set(listed)].toSorted());
});

/** Every number that a face asks for, as type and field. */
function numbersOf(folder: string): Set<string> {
  const info = new TypeInfo(makeSchema([]));
  const found = new Set<string>();
  visit(
    readFace(folder),
    visitWithTypeInfo(info, {
      Field({ name }) {
        const type = info.getType();
        if (type && NUMBERS.includes(getNamedType(type).name)) found.add(`${info.getParentType()}.${name.value}`);
      },
    }),
  );
  return found;
}
