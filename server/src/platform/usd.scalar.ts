import { GraphQLScalarType } from 'graphql';
import { toUsd } from './money.ts';

/** Nano-USD inside, a decimal number of USD outside. */
export const UsdScalar = new GraphQLScalarType({
  name: 'Usd',
  description: 'An amount of money: a decimal number of US dollars, exact to the nano-dollar.',
  serialize: (value) => (typeof value === 'bigint' ? toUsd(value) : Number(value)),
});
