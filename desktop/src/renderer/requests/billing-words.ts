import { exactMoney } from '@ocr-router/ui/format/money.ts';

interface Billed {
  readonly billing: string;
  readonly cost: number;
  readonly pages?: number | null;
  readonly usageDoubted?: boolean;
  /** Who runs the engine, where it is known here still. */
  readonly provider?: string | undefined;
}

/** What an attempt cost at its provider, as far as it is known. Pages at a page price are sold without asking. */
export function billingWords({ billing, cost, pages, usageDoubted, provider }: Billed): string {
  switch (billing) {
    case 'none':
      if (provider === 'local') return 'Runs on the gateway’s own machines';
      return (pages ?? 0) > 0
        ? 'Sold by the page; what it cost at the provider is not recorded'
        : 'Nothing to pay at the provider';
    case 'pending':
      return usageDoubted
        ? 'The provider reported a usage that is not credible; what it cost is not known'
        : 'The provider has not reported what it cost';
    case 'verified':
      return `${exactMoney(cost)} by the provider’s bill`;
    default:
      return `${exactMoney(cost)} at the provider`;
  }
}
