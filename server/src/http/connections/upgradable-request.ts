import { IncomingMessage } from 'node:http';

/**
 * A request that Node takes for one of another protocol only where it opens a WebSocket. Whatever else it offers is ignored, as HTTP
 * allows: clients that offer HTTP/2 in each call (`Upgrade: h2c`) are answered by HTTP/1.1. Node's own option for that,
 * `shouldUpgradeCallback`, came with 24.9.
 */
export class UpgradableRequest extends IncomingMessage {
  /**
   * Whether the request offers an upgrade, as Node's parser says. Not initialised here: Node's constructor sets it before fields
   * are.
   */
  declare private offersUpgrade: boolean | null;

  /**
   * Whether Node takes the request for another protocol. Node sets this before the request has its headers, and reads it
   * afterwards.
   */
  get upgrade(): boolean | null {
    return this.offersUpgrade && (this.method === 'CONNECT' || opensWebSocket(this));
  }

  set upgrade(offers: boolean | null) {
    this.offersUpgrade = offers;
  }
}

/** Whether `Upgrade`, the list of protocols that the client would take, names WebSocket. */
function opensWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? '');
}
