import { call } from '../http/call.ts';

/** How people get in: told to everybody. */
export interface Front {
  readonly login: 'password' | 'openid' | 'none';
  readonly registration: boolean;
}

export function readFront(): Promise<Front> {
  return call<Front>('GET', '/api/front');
}
