import { enumType } from '../../platform/enum-type.ts';

export const ProviderFault = enumType(
  'ProviderFault',
  'What was wrong when an engine’s provider answered with an error.',
  {
    credentials_refused: 'It does not take the gateway’s credentials.',
    no_credit: 'The gateway’s account there has no credit.',
    unknown_model: 'It knows no such model, or the address is wrong.',
    page_too_large: 'The page is larger than it takes.',
    rate_limited: 'It limits the rate of requests.',
    redirected: 'Its address answers with a redirect, which is not followed.',
    http_error: 'Any other HTTP status.',
  },
);
export type ProviderFault = keyof typeof ProviderFault;
