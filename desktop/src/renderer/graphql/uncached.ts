import { Client } from 'urql';
import { bridge } from '../bridge/bridge.ts';
import { bridgeExchange } from './bridge-exchange.ts';

/**
 * For questions that nobody asks a second time: urql's cache keeps every answer for as long as the console is open, and a
 * snapshot of it would push out one that is worth keeping.
 */
export const uncached = new Client({
  url: 'bridge:',
  requestPolicy: 'network-only',
  exchanges: [bridgeExchange(bridge)],
});
