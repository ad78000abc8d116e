import type { Contract } from './contract.ts';

/** The contracts as the build compiled them. */
declare const contracts: Readonly<Record<'openapi' | 'dashboard', Contract>>;
export = contracts;
